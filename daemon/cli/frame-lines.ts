/** A decoded frame as a JSON line and as a line for people. */
import {
  FRAME_ERROR,
  FRAME_EXT,
  FRAME_FD,
  FRAME_REMOTE,
  FRAME_STRIDE,
  type FrameBatch,
} from '../core/can/frame-batch.js';
import { printable } from '../runtime/printable.js';
import { exactPhysical } from '../vehicles/dbc/decode-message.js';
import { type DecodePlan, FRAME_LONG, FRAME_MUX_UNKNOWN, FRAME_SHORT } from '../vehicles/dbc/decode-plan.js';
import type { FrameDecoder } from '../vehicles/dbc/frame-decoder.js';
import { readRaw } from '../vehicles/dbc/read-raw.js';
import { signalsInFileOrder } from '../vehicles/dbc/signal-statistics.js';

const findingNames: readonly (readonly [bit: number, name: string])[] = [
  [FRAME_SHORT, 'short'],
  [FRAME_LONG, 'long'],
  [FRAME_MUX_UNKNOWN, 'mux_unknown'],
];

export interface FrameLineOptions {
  /** also the texts of value tables */
  readonly hasLabels: boolean;
  /** by plan signal: physical values that mean "not available" */
  readonly unavailable: readonly (Float64Array | undefined)[];
}

/**
 * Writes JSON text itself: member names are escaped once for the whole log, their order is that of the DBC
 * (an object would sort names that look like numbers), and no object is made for a frame.
 */
export class FrameJson {
  readonly #decoder: FrameDecoder;
  readonly #options: FrameLineOptions;
  readonly #names: readonly string[];
  readonly #keys: readonly string[];
  readonly #orders: readonly (readonly number[])[];
  readonly #buses: string[] = [];

  constructor(decoder: FrameDecoder, options: FrameLineOptions) {
    this.#decoder = decoder;
    this.#options = options;
    const { plan } = decoder;
    this.#names = plan.messageName.map((name) => JSON.stringify(name));
    this.#keys = plan.signalName.map((name) => `${JSON.stringify(name)}:`);
    this.#orders = plan.messageName.map((_, message) => signalsInFileOrder(plan, message));
  }

  /** Frame `i`, which `decoder` has just decoded. */
  decoded(batch: FrameBatch, i: number): string {
    const { plan, message, findings, values, present } = this.#decoder;
    const { hasLabels, unavailable } = this.#options;
    const first = plan.messageFirstSignal[message]!;
    const start = i * FRAME_STRIDE;
    let signals = '';
    let labels = '';
    for (const s of this.#orders[message]!) {
      if (present[s - first] !== 1) continue;
      const value = signalValue(plan, s, values[s - first]!, batch.data, start, unavailable[s]);
      const key = this.#keys[s]!;
      signals += `${signals === '' ? '' : ','}${key}${jsonValue(value)}`;
      const label = hasLabels ? plan.signalLabels[s]?.get(readRaw(plan, s, batch.data, start)) : undefined;
      if (label !== undefined) labels += `${labels === '' ? '' : ','}${key}${JSON.stringify(label)}`;
    }
    let text = `${this.#frame(batch, i)},"name":${this.#names[message]},"signals":{${signals}}`;
    if (findings !== 0) text += `,"diag":[${diagnostics(findings).map(quoted).join()}]`;
    if (hasLabels) text += `,"labels":{${labels}}`;
    return `${text}}`;
  }

  /** Any other frame: unknown identifier, remote, error. */
  other(batch: FrameBatch, i: number): string {
    const { plan } = this.#decoder;
    const flags = batch.flags[i]!;
    const frame = this.#frame(batch, i);
    if ((flags & FRAME_ERROR) !== 0) return `${frame},"name":null,"error":true,"data":"${hex(batch, i)}"}`;
    if ((flags & FRAME_REMOTE) !== 0) {
      const message = plan.find(batch.id[i]!, (flags & FRAME_EXT) !== 0);
      return `${frame},"name":${message < 0 ? 'null' : this.#names[message]},"remote":true,"dlc":${batch.dlc[i]}}`;
    }
    return `${frame},"name":null,"data":"${hex(batch, i)}"}`;
  }

  #frame(batch: FrameBatch, i: number): string {
    const t = batch.tS[i]!;
    const flags = batch.flags[i]!;
    const bus = batch.bus[i]!;
    if (this.#buses[bus] === undefined) this.#buses[bus] = JSON.stringify(batch.busNames[bus] ?? '');
    return (
      `{"t":${Number.isFinite(t) ? t : 'null'},"bus":${this.#buses[bus]},"id":${batch.id[i]},` +
      `"ext":${(flags & FRAME_EXT) !== 0},"fd":${(flags & FRAME_FD) !== 0}`
    );
  }
}

/** null where the profile says "not available", a bigint where a float64 cannot hold the integer. */
function signalValue(
  plan: DecodePlan,
  signal: number,
  value: number,
  data: Uint8Array,
  start: number,
  unavailable: Float64Array | undefined,
): number | bigint | null {
  if (unavailable?.includes(value)) return null;
  return exactPhysical(plan, signal, value, data, start) ?? value;
}

/** Finite numbers as JSON.stringify prints them, others as text, so that nothing is lost. */
function jsonValue(value: number | bigint | null): string {
  if (value === null) return 'null';
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : `"${value}"`;
}

/** Text without the noise of binary fractions (0.16, not 0.1600000000000037); JSON has every digit. */
function textValue(value: number | bigint | null): string {
  if (value === null) return 'n/a';
  return typeof value === 'bigint' || Number.isInteger(value)
    ? String(value)
    : String(Number(value.toPrecision(10)));
}

const quoted = (text: string): string => `"${text}"`;

function diagnostics(findings: number): string[] {
  return findingNames.filter(([bit]) => (findings & bit) !== 0).map(([, name]) => name);
}

function hex(batch: FrameBatch, i: number): string {
  const start = i * FRAME_STRIDE;
  return Buffer.from(batch.data.buffer, batch.data.byteOffset + start, batch.length[i]!).toString('hex');
}

/** `time bus id name signal=value unit …` */
export class FrameText {
  readonly #decoder: FrameDecoder;
  readonly #options: FrameLineOptions;

  constructor(decoder: FrameDecoder, options: FrameLineOptions) {
    this.#decoder = decoder;
    this.#options = options;
  }

  decoded(batch: FrameBatch, i: number): string {
    const { plan, message, findings, values, present } = this.#decoder;
    const { hasLabels, unavailable } = this.#options;
    const first = plan.messageFirstSignal[message]!;
    const parts: string[] = [];
    for (const s of signalsInFileOrder(plan, message)) {
      if (present[s - first] !== 1) continue;
      const start = i * FRAME_STRIDE;
      const value = signalValue(plan, s, values[s - first]!, batch.data, start, unavailable[s]);
      const label = hasLabels ? plan.signalLabels[s]?.get(readRaw(plan, s, batch.data, start)) : undefined;
      const unit = plan.signalUnit[s] === '' ? '' : ` ${plan.signalUnit[s]}`;
      parts.push(
        `${plan.signalName[s]}=${textValue(value)}${unit}${label === undefined ? '' : ` (${label})`}`,
      );
    }
    const notes = findings === 0 ? '' : `  [${diagnostics(findings).join(' ')}]`;
    return printable(`${this.#frame(batch, i)}  ${plan.messageName[message]}  ${parts.join('  ')}${notes}`);
  }

  other(batch: FrameBatch, i: number): string {
    const flags = batch.flags[i]!;
    if ((flags & FRAME_ERROR) !== 0) return `${this.#frame(batch, i)}  error frame  ${hex(batch, i)}`;
    if ((flags & FRAME_REMOTE) !== 0) return `${this.#frame(batch, i)}  remote frame  dlc ${batch.dlc[i]}`;
    return `${this.#frame(batch, i)}  unknown  ${hex(batch, i)}`;
  }

  #frame(batch: FrameBatch, i: number): string {
    const isExt = (batch.flags[i]! & FRAME_EXT) !== 0;
    const id = batch.id[i]!.toString(16)
      .toUpperCase()
      .padStart(isExt ? 8 : 3, '0');
    const bus = batch.busNames[batch.bus[i]!] ?? '';
    return `${batch.tS[i]!.toFixed(6).padStart(12)}  ${bus === '' ? '-' : bus}  ${id.padStart(8)}`;
  }
}
