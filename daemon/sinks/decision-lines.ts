import type { TickOutputs, Utterance } from '../core/tick.js';
import { printable } from '../runtime/printable.js';
import { outcomeOf } from '../runtime/run-tally.js';
import { modeCauseWords } from './mode-cause-words.js';

/** Where lines for people go; colour only where the writer has it. */
export interface LineWriter {
  line(text?: string): void;
  style(text: string, style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'): string;
}

/**
 * Decisions as they fall, one aligned line each: time, mode, what was decided, what the driver hears, why.
 * An ACT in force for many ticks is told when it begins and when it ends.
 */
export class DecisionLines {
  readonly #out: LineWriter;
  #mode = '';
  #actSinceUs: number | null = null;
  #hasHeader = false;

  constructor(out: LineWriter) {
    this.#out = out;
  }

  watch(outputs: TickOutputs): void {
    if (outputs.mode !== this.#mode) {
      const before = this.#mode;
      this.#mode = outputs.mode;
      if (before !== '' || outputs.mode !== 'NORMAL') {
        this.#line(
          outputs,
          'mode',
          before === '' ? 'starts in this mode' : `was ${before}`,
          modeCauses(outputs).map(modeCauseWords).join(', '),
        );
      }
    }
    const isAct = outcomeOf(outputs) === 'act';
    if (isAct && this.#actSinceUs === null) {
      this.#actSinceUs = outputs.tUs;
      const { intent } = outputs.decision;
      const what = intent === null ? 'intervention' : `brake assist ${intent.decelMps2.toFixed(1)} m/s²`;
      this.#line(outputs, 'ACT', what, decisiveNumbers(outputs));
    } else if (!isAct && this.#actSinceUs !== null) {
      const lasted = (outputs.tUs - this.#actSinceUs) / 1e6;
      this.#actSinceUs = null;
      this.#line(outputs, 'act ends', `after ${lasted.toFixed(2)} s`, actEndReason(outputs));
    }
    if (outputs.utterance !== null) {
      this.#line(
        outputs,
        outputs.utterance.urgent ? 'SPEAK!' : 'SPEAK',
        outputs.utterance.l1,
        outputs.utterance.urgent ? decisiveNumbers(outputs) : aboutOf(outputs.utterance),
      );
    }
  }

  #line(outputs: TickOutputs, kind: string, text: string, why: string): void {
    if (!this.#hasHeader) {
      this.#hasHeader = true;
      this.#out.line(
        this.#out.style(
          `${'time'.padStart(9)}  ${'mode'.padEnd(8)}  ${'decision'.padEnd(8)}  what (why)`,
          'dim',
        ),
      );
    }
    const time = `${(outputs.tUs / 1e6).toFixed(2)} s`.padStart(9);
    const colour = kind === 'ACT' || kind === 'SPEAK!' ? 'red' : kind === 'SPEAK' ? 'cyan' : 'dim';
    const head = `${time}  ${outputs.mode.padEnd(8)}  ${this.#out.style(kind.padEnd(8), colour)}  ${printable(text)}`;
    this.#out.line(why === '' ? head : `${head}  ${this.#out.style(`(${printable(why)})`, 'dim')}`);
  }
}

/** What an utterance is about: the event or condition that its key begins with. */
export function aboutOf(utterance: Utterance): string {
  return utterance.key.split(':', 1)[0]?.replaceAll('_', ' ') ?? '';
}

/** By the code in the record. */
const actEnds: Readonly<Record<string, string>> = {
  released: 'no longer needed',
  expired: 'longest duration reached',
  driver: 'the driver took over',
  mode: 'mode changed',
  not_authorised: 'no longer authorised',
  withdrawn: 'its record is not durable',
};

/** Why an intervention ended, for people. */
export function actEndReason(outputs: TickOutputs): string {
  const code = actEndCode(outputs);
  return actEnds[code] ?? code;
}

/** Why an intervention ended, where its audit entry says so; else what blocks it now. */
export function actEndCode(outputs: TickOutputs): string {
  for (const { body } of outputs.audit) {
    const arbitration = body['arbitration'];
    if (typeof arbitration !== 'object' || arbitration === null || !('ended' in arbitration)) continue;
    const { ended } = arbitration;
    if (typeof ended === 'string') return ended;
  }
  return outputs.decision.blockedBy.join(', ');
}

export function decisiveNumbers(outputs: TickOutputs): string {
  const { ttc, d, dmin, r } = outputs.safety;
  const parts: string[] = [];
  if (ttc !== null) parts.push(`TTC ${ttc.toFixed(1)} s`);
  if (d !== null && dmin !== null) parts.push(`gap ${d.toFixed(0)} m of ${dmin.toFixed(0)} m`);
  parts.push(`risk ${r.toFixed(2)}`);
  return parts.join(', ');
}

/** Causes of a change of mode as codes, where its audit entry gives them. */
export function modeCauses(outputs: TickOutputs): readonly string[] {
  const change = outputs.audit.find((one) => one.kind === 'mode')?.body['mode_change'];
  if (typeof change !== 'object' || change === null || !('causes' in change)) return [];
  return Array.isArray(change.causes) ? change.causes.map(String) : [];
}
