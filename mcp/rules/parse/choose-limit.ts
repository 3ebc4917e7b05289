/** From the numbers that may be a limit of the own road to one reading, and to the slowest one the answer allows. */
import type { NumberMention } from './number-mentions.js';
import type { SpeedUnit, SpeedValue } from './parsed-answer.js';
import { highestSign, inMps } from './speed-unit.js';

export interface Choice {
  readonly status: 'ok' | 'ambiguous';
  readonly value: number | null;
  readonly unit: SpeedUnit | null;
  readonly unitSource: 'explicit' | 'context' | null;
  readonly conservative: SpeedValue;
  readonly candidates: readonly number[];
  readonly isUnitConflict: boolean;
  readonly isImplausible: boolean;
  readonly confidenceMax: number;
}

/** Bounds of confidence by how the number was read (practice; a plain number with its unit is 0.95). */
const cap = {
  explicit: 0.95,
  context: 0.8,
  words: 0.7,
  repaired: 0.5,
  bracketWins: 0.7,
  unitCut: 0.6,
  hedged: 0.5,
  corrected: 0.5,
  noUnit: 0.4,
  unitConflict: 0.3,
  contradiction: 0.3,
  implausible: 0.2,
  tampered: 0.2,
} as const;

interface Manner {
  readonly isHedged: boolean;
  readonly isCorrected: boolean;
  /** the sign itself was altered */
  readonly isTampered: boolean;
}

/** @returns null where no number is left that a sign could show */
export function chooseLimit(
  mentions: readonly NumberMention[],
  local: SpeedUnit | null,
  manner: Manner,
): Choice | null {
  const possible = mentions.filter((mention) => isPossible(mention, local));
  if (possible.length === 0) return null;
  const read = withoutConversions(possible, local);
  const values = distinct(read);
  const last = values[values.length - 1];
  if (last === undefined) return null;
  if (values.length > 1 && (manner.isTampered || !manner.isCorrected)) {
    return contradiction(values, local, manner.isTampered ? cap.tampered : cap.contradiction);
  }
  const caps: number[] = [
    last.unit === null ? cap.context : cap.explicit,
    ...(last.source === 'words' && last.unit === null ? [cap.words] : []),
    ...(last.source === 'words' && last.unit !== null ? [cap.context] : []),
    ...(last.source === 'repaired' ? [cap.repaired] : []),
    ...(last.isBracketed && possible.length > 1 ? [cap.bracketWins] : []),
    ...(last.isUnitCut ? [cap.unitCut] : []),
    ...(manner.isTampered ? [cap.tampered] : []),
    ...(manner.isHedged ? [cap.hedged] : []),
    ...(manner.isCorrected ? [cap.corrected] : []),
  ];
  const unit = last.unit ?? (last.isUnitCut ? 'km/h' : local);
  const unitSource = last.unit !== null || last.isUnitCut ? 'explicit' : local === null ? null : 'context';
  const slowest = slowestOf(values, local);
  const choice = { value: last.value, unit, unitSource, candidates: [], conservative: slowest } as const;
  if (last.value % 5 !== 0) {
    const down = { value: Math.floor(slowest.value / 5) * 5, unit: slowest.unit };
    return {
      ...choice,
      status: 'ambiguous',
      conservative: down,
      isUnitConflict: false,
      isImplausible: true,
      confidenceMax: cap.implausible,
    };
  }
  if (unit === null)
    return {
      ...choice,
      status: 'ambiguous',
      isUnitConflict: false,
      isImplausible: false,
      confidenceMax: Math.min(cap.noUnit, ...caps),
    };
  if (local !== null && unit !== local)
    return {
      ...choice,
      status: 'ambiguous',
      isUnitConflict: true,
      isImplausible: false,
      confidenceMax: cap.unitConflict,
    };
  return {
    ...choice,
    status: manner.isTampered ? 'ambiguous' : 'ok',
    isUnitConflict: false,
    isImplausible: false,
    confidenceMax: Math.min(...caps),
  };
}

/** A value that a sign can show: above nothing, not above the highest sign of its unit. */
export function isPossible(mention: NumberMention, local: SpeedUnit | null): boolean {
  return mention.value > 0 && mention.value <= highestSign[mention.unit ?? local ?? 'km/h'];
}

/** Two numbers of which one is the other in the other unit: the one in the unit of the country stands on the sign. */
function withoutConversions(
  mentions: readonly NumberMention[],
  local: SpeedUnit | null,
): readonly NumberMention[] {
  return mentions.filter((mention) => {
    const twin = mentions.find((other) => other !== mention && isSameSpeed(mention, other, local));
    if (!twin) return true;
    return preferred(mention, twin, local) === mention;
  });
}

function isSameSpeed(a: NumberMention, b: NumberMention, local: SpeedUnit | null): boolean {
  const unitA = a.unit ?? (b.unit !== null && b.unit === local ? other(local) : local);
  const unitB = b.unit ?? (a.unit !== null && a.unit === local ? other(local) : local);
  if (unitA === null || unitB === null || unitA === unitB) return false;
  // A conversion is rounded to a whole number, sometimes to the next five.
  return Math.abs(inMps(a.value, unitA) - inMps(b.value, unitB)) <= inMps(3, 'km/h');
}

const other = (unit: SpeedUnit): SpeedUnit => (unit === 'mph' ? 'km/h' : 'mph');

function preferred(a: NumberMention, b: NumberMention, local: SpeedUnit | null): NumberMention {
  if (local !== null && (a.unit === local) !== (b.unit === local)) return a.unit === local ? a : b;
  if (a.isBracketed !== b.isBracketed) return a.isBracketed ? b : a;
  const isRound = (mention: NumberMention): boolean => mention.value % 10 === 0;
  if (isRound(a) !== isRound(b)) return isRound(a) ? a : b;
  return a.start < b.start ? a : b;
}

function distinct(mentions: readonly NumberMention[]): NumberMention[] {
  const seen = new Map<string, NumberMention>();
  for (const mention of mentions) {
    const same = [...seen.values()].find(
      (known) =>
        known.value === mention.value &&
        (known.unit === mention.unit || known.unit === null || mention.unit === null),
    );
    // Said twice, once with its unit: keep the one that says more, in the later place.
    if (same) seen.delete(`${same.value} ${same.unit}`);
    const kept = same && mention.unit === null && same.unit !== null ? same : mention;
    seen.set(`${kept.value} ${kept.unit}`, kept);
  }
  return [...seen.values()];
}

function contradiction(
  values: readonly NumberMention[],
  local: SpeedUnit | null,
  confidenceMax: number,
): Choice {
  const units = new Set(values.map((mention) => mention.unit));
  const [explicit] = values.map((mention) => mention.unit).filter((unit) => unit !== null);
  // "50 or 60 km/h": the unit said once holds for both.
  const unit = explicit ?? local;
  return {
    status: 'ambiguous',
    value: null,
    unit: units.has('km/h') && units.has('mph') ? null : unit,
    unitSource: explicit ? 'explicit' : local === null ? null : 'context',
    conservative: slowestOf(
      values.map((mention) => ({ ...mention, unit: mention.unit ?? unit })),
      local,
    ),
    candidates: values.map((mention) => mention.value),
    isUnitConflict: false,
    isImplausible: false,
    confidenceMax,
  };
}

/** The slowest physical speed that the numbers can mean; a foreign unit may be a misread local one. */
function slowestOf(values: readonly NumberMention[], local: SpeedUnit | null): SpeedValue {
  const readings = values.flatMap((mention): SpeedValue[] => {
    const units: SpeedUnit[] =
      mention.unit === null
        ? local === null
          ? ['km/h', 'mph']
          : [local]
        : local === null || local === mention.unit
          ? [mention.unit]
          : [mention.unit, local];
    return units.map((unit) => ({ value: mention.value, unit }));
  });
  return readings.reduce((slowest, reading) =>
    inMps(reading.value, reading.unit ?? 'km/h') < inMps(slowest.value, slowest.unit ?? 'km/h')
      ? reading
      : slowest,
  );
}
