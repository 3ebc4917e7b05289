import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A recording as `createRunId` names it; nothing else in the folder is touched. */
const recordingName = /^\d{8}T\d{6}-[0-9a-f]{4}\.drec$/;

/** Deletes the oldest recordings beyond `keepMaxCount`; returns how many. Names sort by time. */
export async function pruneRecordings(folder: string, keepMaxCount: number): Promise<number> {
  const names = (await readdir(folder)).filter((name) => recordingName.test(name)).sort();
  const old = names.slice(0, Math.max(0, names.length - keepMaxCount));
  for (const name of old) await rm(join(folder, name), { force: true });
  return old.length;
}
