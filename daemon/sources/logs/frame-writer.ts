import { FRAME_STRIDE, FrameBatch, type LogDiagnostic } from '../../core/can/frame-batch.js';
import { type DamageCode, damageTexts, type NoteCode, noteTexts } from './damage-codes.js';

/** How many diagnostics of one code are kept with their place; all of them are counted. */
const keptPerCode = 20;

/** More names than this are not interfaces but garbage; a bound on what hostile input can make us keep. */
const busNamesMax = 256;
const busNameBytesMax = 64;

/** Where readers put frames and findings. It owns the one batch that is filled and refilled. */
export class FrameWriter {
  readonly batch: FrameBatch;
  readonly diagnosticsByCode = new Map<DamageCode | NoteCode, number>();
  readonly firstDiagnostics: LogDiagnostic[] = [];
  frames = 0;
  /** parts of the input whose content was lost */
  damaged = 0;
  /** lines and objects that hold no frame by design: headers, comments, status events */
  ignored = 0;
  readonly #busNames: string[] = [];
  readonly #busBytes: Uint8Array[] = [];
  #lastBus = 0;
  #lastT = Number.NEGATIVE_INFINITY;

  constructor(batchFrames: number) {
    this.batch = new FrameBatch(batchFrames, this.#busNames);
  }

  /** Where the payload of the frame that `commit` will add belongs, in `batch.data`. */
  get dataOffset(): number {
    return this.batch.count * FRAME_STRIDE;
  }

  /** Adds a frame whose payload is already at `dataOffset`. The batch must not be full. */
  commit(
    tS: number,
    id: number,
    flags: number,
    length: number,
    dlc: number,
    bus: number,
    line: number,
  ): void {
    const batch = this.batch;
    const i = batch.count;
    batch.tS[i] = tS;
    batch.id[i] = id;
    batch.flags[i] = flags;
    batch.length[i] = length;
    batch.dlc[i] = dlc;
    batch.bus[i] = bus;
    batch.line[i] = line;
    batch.count = i + 1;
    this.frames++;
    if (tS < this.#lastT) this.note(line, 'time_backwards');
    this.#lastT = tS;
  }

  /** Index of the bus named by these bytes, or −1 where there are too many or the name is too long. */
  bus(bytes: Uint8Array, start: number, end: number): number {
    if (this.#isBus(this.#lastBus, bytes, start, end)) return this.#lastBus;
    for (let index = 0; index < this.#busBytes.length; index++) {
      if (!this.#isBus(index, bytes, start, end)) continue;
      this.#lastBus = index;
      return index;
    }
    if (this.#busNames.length === busNamesMax || end - start > busNameBytesMax) return -1;
    const name = bytes.slice(start, end);
    this.#lastBus = this.#busBytes.push(name) - 1;
    this.#busNames.push(new TextDecoder().decode(name));
    return this.#lastBus;
  }

  /** `bus` for a name that is a string already. */
  busNamed(name: string): number {
    const bytes = new TextEncoder().encode(name);
    return this.bus(bytes, 0, bytes.length);
  }

  /** Counts lost content; `detail` is made only where the finding is kept. */
  damage(line: number, code: DamageCode, detail?: () => string): void {
    this.damaged++;
    this.#report(line, code, damageTexts[code], detail);
  }

  /** Counts something odd about content that was delivered. */
  note(line: number, code: NoteCode): void {
    this.#report(line, code, noteTexts[code]);
  }

  #report(line: number, code: DamageCode | NoteCode, text: string, detail?: () => string): void {
    const count = (this.diagnosticsByCode.get(code) ?? 0) + 1;
    this.diagnosticsByCode.set(code, count);
    this.batch.findings++;
    if (count > keptPerCode) return;
    const diagnostic = { line, code, message: detail === undefined ? text : `${text}: ${detail()}` };
    this.firstDiagnostics.push(diagnostic);
    this.batch.diagnostics.push(diagnostic);
  }

  #isBus(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    const name = this.#busBytes[index];
    if (name === undefined || name.length !== end - start) return false;
    for (let i = 0; i < name.length; i++) if (name[i] !== bytes[start + i]) return false;
    return true;
  }
}
