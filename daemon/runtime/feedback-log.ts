/** The memory of feedback: every one that people gave or a drive showed, with what became of it. */
import { join } from 'node:path';
import type { AdaptationState } from '../core/arbiter/adaptation.js';
import type { JsonObject, TickInputs, TickOutputs } from '../core/tick.js';
import { BoundedLog, type LogLines, readBoundedLog } from './bounded-log.js';

const fileName = 'feedback.jsonl';

export class FeedbackLog {
  readonly #log: BoundedLog;

  constructor(
    stateDir: string,
    readonly runId: string,
    notice: (text: string) => void,
  ) {
    this.#log = new BoundedLog(join(stateDir, fileName), notice);
  }

  /** To be shown every tick. @param adaptation Δ and C_min after it */
  watch(inputs: TickInputs, outputs: TickOutputs, adaptation: AdaptationState): void {
    for (const { body } of outputs.audit) {
      const given = body['feedback_given'];
      const shown = body['feedback'];
      const ids = commandIds(body['commands']);
      if (given === undefined && shown === undefined && ids.length === 0) continue;
      this.#log.append({
        v: 1,
        wall_ms: inputs.wallMs,
        run: this.runId,
        tick: outputs.tick,
        // Without anybody who gave it: what followed an escalation showed it.
        ...(given === undefined ? {} : { given }),
        ...(shown === undefined ? {} : { feedback: shown }),
        ...(ids.length === 0 ? {} : { command_ids: ids }),
        delta: adaptation.marginRatio,
        c_min: adaptation.confidenceMinRatio,
      });
    }
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}

function commandIds(commands: unknown): string[] {
  if (!Array.isArray(commands)) return [];
  return (commands as readonly JsonObject[]).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
}

export function readFeedback(stateDir: string): LogLines {
  return readBoundedLog(join(stateDir, fileName));
}
