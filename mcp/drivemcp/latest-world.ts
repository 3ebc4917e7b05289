import type { JsonObject } from '../../daemon/core/tick.js';
import type { AuditReader } from '../../daemon/store/reader.js';
import { membersOf } from './daemon-view.js';

/** A heartbeat a second leaves a record with the world in it: one of the last so many holds one. */
const recordsLookedAt = 64;

/** What the latest run knew of the world in its newest record; null where there is none. */
export function latestWorld(reader: AuditReader, nowWallMs: number): JsonObject | null {
  const run = reader.runs().at(-1);
  if (run === undefined) return null;
  let newest: JsonObject | null = null;
  for (const record of reader.records({ run, fromSeq: Math.max(1, run.last_seq - recordsLookedAt) })) {
    const world = membersOf((JSON.parse(record.body) as JsonObject)['world_state']);
    if (Object.keys(world).length === 0) continue;
    newest = {
      run_id: run.run_id,
      simulated: run.simulated,
      source: run.source,
      running: run.end_ms === null,
      tick: record.tick,
      t_s: record.mono_us / 1e6,
      age_s: (nowWallMs - record.wall_ms) / 1000,
      world_state: world,
    };
  }
  return newest;
}
