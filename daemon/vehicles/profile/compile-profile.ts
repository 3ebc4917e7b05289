/** Resolves a profile against the decode plan of its DBC files: names, units, ranges, checks. */
import type { DecodePlan } from '../dbc/decode-plan.js';
import { findSignal, SIGNAL_FLOAT } from '../dbc/decode-plan.js';
import { vssCatalogue } from '../vss/catalogue.js';
import { type UnitConversion, unitFor } from '../vss/units.js';
import type { VssSignal } from '../vss/vss-signal.js';
import { AliveCounter, checksumFieldFault, checksumTest, type MessageChecksum } from './frame-checks.js';
import { nearestName } from './nearest-name.js';
import type { ParsedProfile } from './parse-profile.js';
import type { ProfileSignal } from './profile-schema.js';

/** A mapped signal, ready to be decoded. */
export interface MappedSignal {
  /** `MESSAGE.SIGNAL` */
  readonly key: string;
  readonly vss: VssSignal;
  readonly spec: ProfileSignal;
  /** plan indices */
  readonly message: number;
  readonly signal: number;
  /** unit of the value after scale and offset → the core's */
  readonly conversion: UnitConversion;
  /** decoded physical values that mean "not available" */
  readonly unavailable: Float64Array;
  readonly periodUs: number | null;
}

/** A message that carries mapped signals. */
export interface MappedMessage {
  readonly name: string;
  readonly message: number;
  readonly checksum: MessageChecksum | null;
  readonly counter: AliveCounter | null;
}

export interface CompiledProfile {
  readonly name: string;
  readonly plan: DecodePlan;
  /** sorted by VSS path */
  readonly signals: readonly MappedSignal[];
  readonly messages: readonly MappedMessage[];
}

/** @throws DriveMcpError PROFILE_INVALID, located at the entry that does not fit the DBC */
export function compileProfile(parsed: ParsedProfile, plan: DecodePlan): CompiledProfile {
  const messagesByName = new Map<string, number[]>();
  for (const [index, name] of plan.messageName.entries()) {
    const list = messagesByName.get(name);
    if (list) list.push(index);
    else messagesByName.set(name, [index]);
  }
  const signals = Object.entries(parsed.profile.signals)
    .map(([key, spec]) => mapSignal(parsed, plan, messagesByName, key, spec))
    .sort((a, b) => (a.vss.path < b.vss.path ? -1 : 1));
  return { name: parsed.profile.name, plan, signals, messages: mapMessages(parsed, plan, signals) };
}

function mapSignal(
  parsed: ParsedProfile,
  plan: DecodePlan,
  messagesByName: ReadonlyMap<string, readonly number[]>,
  key: string,
  spec: ProfileSignal,
): MappedSignal {
  const at = ['signals', key];
  const [messageName = '', signalName = ''] = key.split('.');
  const candidates = messagesByName.get(messageName);
  if (!candidates) {
    throw parsed.fault(
      at,
      `the DBC has no message ${messageName}${nearestName(messageName, messagesByName.keys())}`,
    );
  }
  const message = candidates.find((index) => findSignal(plan, index, signalName) >= 0);
  if (message === undefined) {
    const known = signalNames(plan, candidates[0]!);
    throw parsed.fault(
      at,
      `message ${messageName} has no signal ${signalName}${nearestName(signalName, known)}`,
    );
  }
  const signal = findSignal(plan, message, signalName);
  if (plan.signalLastByte[signal] === 0xffff) {
    throw parsed.fault(at, `the DBC places ${key} where it cannot be read`);
  }
  const vss = vssCatalogue.get(spec.vss)!;
  const periodMs = spec.period_ms ?? plan.messageCycleMs[message] ?? null;
  return {
    key,
    vss,
    spec,
    message,
    signal,
    conversion: signalUnit(parsed, plan, key, spec, vss, signal),
    unavailable: unavailableValues(parsed, plan, key, spec, signal),
    periodUs: periodMs === null ? null : periodMs * 1000,
  };
}

function signalUnit(
  parsed: ParsedProfile,
  plan: DecodePlan,
  key: string,
  spec: ProfileSignal,
  vss: VssSignal,
  signal: number,
): UnitConversion {
  if (spec.unit !== undefined) {
    const conversion = unitFor(spec.unit, vss.dimension);
    if (conversion) return conversion;
    throw parsed.fault(
      ['signals', key, 'unit'],
      `'${spec.unit}' is no unit of ${vss.path} (${vss.vssUnit === '' ? 'it has none' : `such as ${vss.vssUnit}`})`,
    );
  }
  if (vss.dimension === 'none') return unitFor('', 'none')!;
  const dbcUnit = plan.signalUnit[signal]!;
  const conversion = unitFor(dbcUnit, vss.dimension);
  if (conversion) return conversion;
  throw parsed.fault(
    ['signals', key],
    dbcUnit === ''
      ? `the DBC gives ${key} no unit and the profile neither`
      : `the DBC gives ${key} the unit '${dbcUnit.slice(0, 40)}', which is none of ${vss.path} (such as ${vss.vssUnit})`,
    `add "unit" to the signal, for example "${vss.vssUnit}"; a unit is never guessed`,
  );
}

function unavailableValues(
  parsed: ParsedProfile,
  plan: DecodePlan,
  key: string,
  spec: ProfileSignal,
  signal: number,
): Float64Array {
  const raws = spec.invalid_raw ?? [];
  if (raws.length > 0 && (plan.signalFlags[signal]! & SIGNAL_FLOAT) !== 0) {
    throw parsed.fault(
      ['signals', key, 'invalid_raw'],
      `${key} is a float signal; it has no integer raw values`,
    );
  }
  // The executor computes raw · scale + offset in these two operations, so equality is exact.
  return Float64Array.from(
    raws,
    (raw) => Number(raw) * plan.signalScale[signal]! + plan.signalOffset[signal]!,
  );
}

function mapMessages(
  parsed: ParsedProfile,
  plan: DecodePlan,
  signals: readonly MappedSignal[],
): MappedMessage[] {
  const messages: MappedMessage[] = [];
  for (const message of new Set(signals.map((mapped) => mapped.message))) {
    const own = signals.filter((mapped) => mapped.message === message);
    messages.push({
      name: plan.messageName[message]!,
      message,
      checksum: messageChecksum(parsed, plan, message, own),
      counter: messageCounter(parsed, plan, message, own),
    });
  }
  return messages;
}

/** A check belongs to the message; saying it at one of its signals is enough, contradictions are refused. */
function onlyOne<K extends 'checksum' | 'counter'>(
  parsed: ParsedProfile,
  own: readonly MappedSignal[],
  member: K,
): { key: string; spec: NonNullable<ProfileSignal[K]> } | null {
  let found: { key: string; spec: NonNullable<ProfileSignal[K]> } | null = null;
  for (const { key, spec } of own) {
    const value = spec[member];
    if (value === undefined) continue;
    if (found && JSON.stringify(found.spec) !== JSON.stringify(value)) {
      throw parsed.fault(['signals', key, member], `${found.key} of the same message has another ${member}`);
    }
    found ??= { key, spec: value as NonNullable<ProfileSignal[K]> };
  }
  return found;
}

function messageChecksum(
  parsed: ParsedProfile,
  plan: DecodePlan,
  message: number,
  own: readonly MappedSignal[],
): MessageChecksum | null {
  const found = onlyOne(parsed, own, 'checksum');
  if (!found) return null;
  const at = ['signals', found.key, 'checksum'];
  const { kind, signal: name, of = [] } = found.spec;
  const signal = integerSignal(parsed, plan, message, [...at, 'signal'], name);
  const fault = checksumFieldFault(kind, plan, signal);
  if (fault !== null) throw parsed.fault(at, fault);
  if ((kind === 'field_sum8') !== of.length > 0) {
    throw parsed.fault(
      at,
      kind === 'field_sum8' ? 'field_sum8 needs "of": the signals that are summed' : `${kind} takes no "of"`,
    );
  }
  const fields = of.map((each, i) => integerSignal(parsed, plan, message, [...at, 'of', i], each));
  return { kind, signal, of: fields, holds: checksumTest(kind, plan, signal, fields) };
}

function messageCounter(
  parsed: ParsedProfile,
  plan: DecodePlan,
  message: number,
  own: readonly MappedSignal[],
): AliveCounter | null {
  const found = onlyOne(parsed, own, 'counter');
  if (!found) return null;
  const at = ['signals', found.key, 'counter'];
  const signal = integerSignal(parsed, plan, message, [...at, 'signal'], found.spec.signal);
  const bits = plan.signalBits[signal]!;
  if (bits > 16)
    throw parsed.fault(at, `an alive counter has at most 16 bits, ${found.spec.signal} has ${bits}`);
  const modulo = found.spec.modulo ?? 2 ** bits;
  if (modulo > 2 ** bits)
    throw parsed.fault(at, `${found.spec.signal} has ${bits} bits and cannot count to ${modulo}`);
  return new AliveCounter(plan, signal, modulo);
}

function integerSignal(
  parsed: ParsedProfile,
  plan: DecodePlan,
  message: number,
  at: readonly PropertyKey[],
  name: string,
): number {
  const signal = findSignal(plan, message, name);
  if (signal < 0) {
    const near = nearestName(name, signalNames(plan, message));
    throw parsed.fault(at, `message ${plan.messageName[message]} has no signal ${name}${near}`);
  }
  if (plan.signalLastByte[signal] === 0xffff || (plan.signalFlags[signal]! & SIGNAL_FLOAT) !== 0) {
    throw parsed.fault(at, `${name} is not a readable integer signal`);
  }
  return signal;
}

function signalNames(plan: DecodePlan, message: number): readonly string[] {
  return plan.signalName.slice(plan.messageFirstSignal[message], plan.messageFirstSignal[message + 1]);
}
