/** How well one DBC signal fits one VSS path, by its name, unit and value range; with the reasons. */
import { type DecodePlan, SIGNAL_FLOAT, SIGNAL_SIGNED } from '../../dbc/decode-plan.js';
import { vssCatalogue } from '../../vss/catalogue.js';
import { dimensionOf, toCoreUnit, type UnitConversion, unitFor } from '../../vss/units.js';
import type { VssSignal } from '../../vss/vss-signal.js';
import type { DraftTarget } from './targets.js';
import {
  type Concept,
  conceptsIn,
  flagCodes,
  type Qualifier,
  qualifiersIn,
  type WheelPosition,
  wheelIn,
  wordsOf,
} from './vocabulary.js';

/** A DBC signal as the drafter sees it. */
export interface NamedSignal {
  readonly message: number;
  readonly signal: number;
  readonly key: string;
  readonly concepts: ReadonlySet<Concept>;
  readonly messageConcepts: ReadonlySet<Concept>;
  readonly qualifiers: ReadonlySet<Qualifier>;
  readonly messageQualifiers: ReadonlySet<Qualifier>;
  readonly wheel: WheelPosition | null;
  /** concepts named by the abbreviation of the sending unit in front: `EMS_VS`, `ESP_v_Signal` */
  readonly senderConcepts: ReadonlySet<Concept>;
}

export interface NameFit {
  readonly vss: VssSignal;
  /** 0…1 before the log is looked at */
  readonly score: number;
  readonly reasons: readonly string[];
  readonly conversion: UnitConversion;
  /** unit that the profile must state because the DBC gives none */
  readonly statedUnit: string | null;
  /** a flag of several bits without a value table: 0 and 1 are assumed */
  readonly isGuess: boolean;
  /** for flags whose value table says which raw value means what */
  readonly codes: { readonly off: number; readonly on: number } | null;
}

/** Abbreviations that name the sender, not the quantity, when they stand in front. */
const senders =
  /^(ems|ecm|mo|pcm|di|kbi|clu|cf|cr|esp|esc|abs|eps|epas|tcu|gway|bcm|sas|ebcm|vcu|mcu|ui|das|mdps|lwi|lws|cgw)$/;

const penalties: Readonly<Record<Qualifier, number>> = {
  wish: 0.6,
  bound: 0.6,
  quality: 0.35,
  protection: 1,
  presentation: 0.3,
  average: 0.1,
  foreign: 0.6,
  other: 0.35,
};

export function namedSignal(plan: DecodePlan, message: number, signal: number): NamedSignal {
  const messageWords = wordsOf(plan.messageName[message]!);
  const words = wordsOf(plan.signalName[signal]!);
  const prefix: string[] = [];
  while (words.length - prefix.length > 1 && senders.test(words[prefix.length]!))
    prefix.push(words[prefix.length]!);
  return {
    message,
    signal,
    key: `${plan.messageName[message]}.${plan.signalName[signal]}`,
    concepts: conceptsIn(words.slice(prefix.length)),
    messageConcepts: conceptsIn(messageWords),
    qualifiers: qualifiersIn(words.slice(prefix.length)),
    messageQualifiers: qualifiersIn(messageWords),
    wheel: wheelIn(words) ?? wheelIn([...messageWords.filter((word) => word !== 'fr'), ...words]),
    senderConcepts: conceptsIn(prefix),
  };
}

/** Null where the signal cannot be what the target asks for. */
export function fitByName(plan: DecodePlan, named: NamedSignal, target: DraftTarget): NameFit | null {
  const bits = plan.signalBits[named.signal]!;
  const isFloat = (plan.signalFlags[named.signal]! & SIGNAL_FLOAT) !== 0;
  if (bits < target.bits[0] || (bits > target.bits[1] && !isFloat)) return null;
  if (target.never?.some((concept) => named.concepts.has(concept))) return null;
  if (target.neverAlone?.some(([one, other]) => named.concepts.has(one) && !named.concepts.has(other)))
    return null;
  if (named.qualifiers.has('protection')) return null;
  if (!target.needs.some((group) => group.some((concept) => isNamed(named, concept)))) return null;
  const path = pathFor(target, named);
  const vss = path === null ? undefined : vssCatalogue.get(path);
  if (vss === undefined) return null;
  const unit = unitFit(plan, named, vss);
  if (unit === null) return null;
  const name = nameFit(named, target, unit.concepts);
  if (name === null) return null;

  const reasons = [name.reason, unit.reason];
  let score = 0.5 * name.strength + unit.score;
  score += Math.min(0.1, 0.05 * (target.likes?.filter((concept) => named.concepts.has(concept)).length ?? 0));
  if (target.reaches !== undefined) {
    const reaches = toCoreUnit(fullScale(plan, named.signal), unit.conversion) >= target.reaches;
    score += reaches ? 0.1 : -0.25;
    if (!reaches) reasons.push('range too small');
  } else {
    score += 0.1;
  }
  // Of two equal names the finer signal is the measurement.
  if (bits >= 12 && target.reaches !== undefined) score += 0.01;
  for (const qualifier of named.qualifiers) {
    if (target.allows?.includes(qualifier)) continue;
    score -= penalties[qualifier];
    reasons.push(`named like a ${qualifierText[qualifier]}`);
  }
  for (const qualifier of ['wish', 'foreign', 'other'] as const) {
    if (!named.messageQualifiers.has(qualifier) || target.allows?.includes(qualifier)) continue;
    score -= penalties[qualifier] / 3;
  }
  const isElsewhere =
    !target.isNamed &&
    target.never?.some((concept) => named.messageConcepts.has(concept) || named.senderConcepts.has(concept));
  if (isElsewhere) {
    // SPEED without a unit in a steering message is the speed of the steering wheel.
    if (unit.statedUnit !== null) return null;
    score -= 0.1;
  }
  return {
    vss,
    score: Math.max(0, Math.min(1, score)),
    reasons,
    conversion: unit.conversion,
    statedUnit: unit.statedUnit,
    isGuess: vss.datatype === 'boolean' && unit.codes === null && bits > 1,
    codes: unit.codes,
  };
}

const qualifierText: Readonly<Record<Qualifier, string>> = {
  wish: 'set point',
  bound: 'limit',
  quality: 'status',
  protection: 'counter',
  presentation: 'display item',
  average: 'filtered value',
  foreign: 'value of another road user',
  other: 'signal of another function',
};

function pathFor(target: DraftTarget, named: NamedSignal): string | null {
  if (!target.path.includes('{wheel}'))
    return target.path === 'Vehicle.Speed' && named.wheel ? null : target.path;
  return named.wheel === null ? null : target.path.replace('{wheel}', named.wheel);
}

/** By the signal or its message; a unit alone says what a value is, not of what. */
function isNamed(named: NamedSignal, concept: Concept): boolean {
  return (
    named.concepts.has(concept) || named.senderConcepts.has(concept) || named.messageConcepts.has(concept)
  );
}

/** Every group of needed concepts must be named: by the signal, by its unit, or (weaker) by its message. */
function nameFit(
  named: NamedSignal,
  target: DraftTarget,
  unitConcepts: readonly Concept[],
): { strength: number; reason: string } | null {
  let sum = 0;
  let isInName = false;
  for (const group of target.needs) {
    const inName = group.some((concept) => named.concepts.has(concept) || named.senderConcepts.has(concept));
    const inMessage = !target.isNamed && group.some((concept) => named.messageConcepts.has(concept));
    const inUnit = group.some((concept) => unitConcepts.includes(concept));
    if (inName) isInName = true;
    const strength = inName ? 1 : inMessage ? 0.7 : inUnit ? 0.6 : 0;
    if (strength === 0) return null;
    sum += strength;
  }
  const strength = sum / target.needs.length;
  return { strength, reason: strength === 1 ? 'name' : isInName ? 'name and message' : 'message and unit' };
}

interface UnitFit {
  readonly score: number;
  readonly reason: string;
  readonly conversion: UnitConversion;
  readonly statedUnit: string | null;
  readonly concepts: readonly Concept[];
  readonly codes: { readonly off: number; readonly on: number } | null;
}

const unitConcepts: Readonly<Record<string, readonly Concept[]>> = {
  'km/h': ['speed'],
  mph: ['speed'],
  'm/s': ['speed'],
  rpm: ['rotation'],
  degC: ['temperature'],
  degF: ['temperature'],
  kPa: ['pressure'],
  bar: ['pressure'],
  psi: ['pressure'],
  V: ['voltage'],
  'm/s^2': ['acceleration'],
  g: ['acceleration'],
  deg: ['angle'],
};

function unitFit(plan: DecodePlan, named: NamedSignal, vss: VssSignal): UnitFit | null {
  const text = plan.signalUnit[named.signal]!;
  if (vss.dimension === 'none') return codeFit(plan, named, vss, text);
  const conversion = unitFor(text, vss.dimension);
  if (conversion) {
    return {
      score: 0.25,
      reason: `unit ${conversion.unit}`,
      conversion,
      statedUnit: null,
      concepts: unitConcepts[conversion.unit] ?? [],
      codes: null,
    };
  }
  // A unit of another quantity, or one that is not understood, rules it out.
  const assumed = isNoUnit(text) ? vss.fromVss : firstOf(text, vss);
  if (assumed === null) return null;
  return {
    // One of several units is a guess on top: the display of the other half of the cars.
    score: isNoUnit(text) ? 0 : -0.1,
    reason: `${isNoUnit(text) ? 'no unit in the DBC' : `unit '${text.slice(0, 20)}'`}, ${assumed.unit} assumed`,
    conversion: assumed,
    statedUnit: assumed.unit,
    concepts: [],
    codes: null,
  };
}

function isNoUnit(text: string): boolean {
  return unitFor(text, 'none') !== null;
}

/** The first of several units in one text: `km/h or MPH`, `km/h?`. */
function firstOf(text: string, vss: VssSignal): UnitConversion | null {
  const [first = ''] = text.split(/\s+or\s+|[\s,;?(]+/);
  return first === text ? null : unitFor(first, vss.dimension);
}

function codeFit(plan: DecodePlan, named: NamedSignal, vss: VssSignal, text: string): UnitFit | null {
  if (dimensionOf(text) !== null) return null;
  const base = { conversion: vss.fromVss, statedUnit: null, concepts: [] };
  const labels = plan.signalLabels[named.signal];
  const codes = labels ? flagCodes(labels) : null;
  if (vss.datatype !== 'boolean' && vss.max - vss.min > 2)
    return { ...base, score: 0.1, reason: 'code', codes: null };
  if (codes) return { ...base, score: 0.25, reason: 'value table says off and on', codes };
  if (plan.signalBits[named.signal] === 1) return { ...base, score: 0.2, reason: 'one bit', codes: null };
  // Several states and no word about which of them means yes: 0 and 1 are the likeliest.
  return { ...base, score: labels ? -0.2 : 0, reason: 'several bits, 0 and 1 assumed', codes: null };
}

/** Largest physical value that the bits can hold. */
function fullScale(plan: DecodePlan, signal: number): number {
  const flags = plan.signalFlags[signal]!;
  const scale = plan.signalScale[signal]!;
  const offset = plan.signalOffset[signal]!;
  if ((flags & SIGNAL_FLOAT) !== 0) return Number.MAX_VALUE;
  const isSigned = (flags & SIGNAL_SIGNED) !== 0;
  const bits = plan.signalBits[signal]!;
  const highest = isSigned ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  const lowest = isSigned ? -(2 ** (bits - 1)) : 0;
  return Math.max(highest * scale + offset, lowest * scale + offset);
}
