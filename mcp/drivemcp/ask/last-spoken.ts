import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { JsonObject } from '../../../daemon/core/tick.js';
import { membersOf } from '../daemon-view.js';

export interface SpokenRecord {
  readonly runId: string;
  readonly simulated: boolean;
  readonly tick: number;
  readonly tS: number;
  /** hash of the audit record that holds it */
  readonly hash: string;
  readonly body: JsonObject;
}

/** Records that are looked at together, from the end of the run backwards; a silent run is looked through no further than `most`. */
const atOnce = 512;
const mostWindows = 200;

/** The last record of the latest run in which something was said; null where there is none. */
export async function lastSpoken(stateDir: string, signal: AbortSignal): Promise<SpokenRecord | null> {
  const { openAuditReader } = await import('../../../daemon/store/reader.js');
  let reader: ReturnType<typeof openAuditReader>;
  try {
    reader = openAuditReader(stateDir);
  } catch (error) {
    // No store yet: nothing has run here, which is an answer.
    if (error instanceof DriveMcpError && error.code === 'FILE_MISSING') return null;
    throw error;
  }
  try {
    const run = reader.runs().at(-1);
    if (run === undefined) return null;
    let until = run.last_seq;
    for (let window = 0; window < mostWindows && until >= run.first_seq; window++) {
      signal.throwIfAborted();
      const from = Math.max(run.first_seq, until - atOnce + 1);
      let found: SpokenRecord | null = null;
      for (const record of reader.records({ run, fromSeq: from })) {
        if (record.seq > until) break;
        const body = JSON.parse(record.body) as JsonObject;
        if (typeof membersOf(body['utterance'])['l1'] !== 'string') continue;
        found = {
          runId: run.run_id,
          simulated: run.simulated,
          tick: record.tick ?? 0,
          tS: record.mono_us / 1e6,
          hash: record.hash,
          body,
        };
      }
      if (found !== null) return found;
      until = from - 1;
    }
    return null;
  } finally {
    reader.close();
  }
}
