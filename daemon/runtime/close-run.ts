import type { JsonObject } from '../core/tick.js';
import type { RecordingWriter } from '../record/recording-writer.js';
import { systemClock } from './clock.js';
import type { Logger } from './log.js';

/** What the end of a run needs of the audit store. */
export interface RunStore {
  endRun(end: { summary: JsonObject; decisionHash: string; wallMs: number }): void;
  flush(): Promise<void>;
  head(): { readonly hash: string } | null;
  close(): Promise<void>;
}

export interface ClosedRun {
  /** hash of the last durable audit record */
  readonly head: string | null;
  /** the first thing that went wrong, or null */
  readonly failure: unknown;
}

/**
 * Puts the summary into store and recording and closes both and the source. One that fails keeps no other
 * from being closed.
 */
export async function closeRun(
  run: { store: RunStore; tape: RecordingWriter | null; source: { close(): Promise<void> }; log: Logger },
  summary: JsonObject & { readonly decision_hash: string },
): Promise<ClosedRun> {
  const { store, tape, source, log } = run;
  let failure: unknown = null;
  const attempt = async (action: () => Promise<void>) => {
    try {
      await action();
    } catch (error) {
      failure ??= error;
      log.error({ err: error }, 'the run could not be closed properly');
    }
  };
  store.endRun({ summary, decisionHash: summary.decision_hash, wallMs: systemClock.wallMs() });
  await attempt(() => store.flush());
  const head = store.head()?.hash ?? null;
  if (tape) await attempt(() => tape.end({ ...summary, audit_head: head }));
  await attempt(() => store.close());
  await attempt(() => source.close());
  return { head, failure };
}
