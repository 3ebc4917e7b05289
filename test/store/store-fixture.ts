/** Filling a store and reading it back, for the tests of this folder. */
import type { AuditEntry } from '../../daemon/core/tick.js';
import type { AuditStore, RunStart } from '../../daemon/store/audit-store.js';
import type { StoredRecord } from '../../daemon/store/chain.js';
import { openStore } from '../../daemon/store/open-store.js';
import { openAuditReader } from '../../daemon/store/reader.js';
import { type EpochReport, verifyStateDir } from '../../daemon/store/reader-verify.js';

export function runStart(runId: string): RunStart {
  return {
    runId,
    productVersion: '0.1.0',
    preset: 'default',
    configDigest: 'c0',
    source: 'test',
    sourceDigest: '50',
    isSimulated: true,
    recordingPath: null,
    wallMs: 1_700_000_000_000,
  };
}

export function entry(
  kind: AuditEntry['kind'],
  body: AuditEntry['body'] = {},
  commit: 'now' | 'group' = 'group',
) {
  return { kind, body, commit } satisfies AuditEntry;
}

/** Appends one decision a tick, ticks `from` … `to` − 1. */
export function appendTicks(store: AuditStore, from: number, to: number, padding = ''): void {
  for (let tick = from; tick < to; tick++) {
    store.append(tick, tick * 50_000, 1_700_000_000_000 + tick * 50, [
      entry('decision', { tick, ttc: tick / 7, text: `é\u2028${padding}` }),
    ]);
  }
}

/** A closed store with one run of `ticks` decisions. */
export async function filledStore(stateDir: string, ticks: number, runId = 'run-1'): Promise<void> {
  const store = await openStore({ stateDir });
  store.beginRun(runStart(runId));
  appendTicks(store, 0, ticks);
  store.endRun({ summary: { ticks }, decisionHash: 'ab'.repeat(32), wallMs: 1_700_000_100_000 });
  await store.close();
}

export function allRecords(stateDir: string, epoch?: number): StoredRecord[] {
  const reader = openAuditReader(stateDir);
  try {
    return [...reader.records(epoch === undefined ? {} : { epoch })];
  } finally {
    reader.close();
  }
}

export function verify(stateDir: string): Promise<EpochReport[]> {
  return verifyStateDir(stateDir, async () => undefined);
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
