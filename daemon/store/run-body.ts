import type { JsonObject } from '../core/tick.js';
import type { RunEnd, RunStart } from './audit-store.js';

/** What the chain records of the start of a run; the row in `runs` says the same and is checked against it. */
export function runStartBody(run: RunStart): JsonObject {
  return {
    event: 'start',
    run_id: run.runId,
    product_version: run.productVersion,
    preset: run.preset,
    config_digest: run.configDigest,
    source: run.source,
    source_digest: run.sourceDigest,
    simulated: run.isSimulated,
    recording: run.recordingPath,
  };
}

export function runEndBody(runId: string, end: RunEnd): JsonObject {
  return { event: 'end', run_id: runId, decision_hash: end.decisionHash, summary: end.summary };
}
