/** Runs and the world as resources: `audit://run/{id}` and `world://current`. */
import type { AuditReader } from '../../daemon/store/reader.js';
import { type ServerResource, statusCache } from '../shared/expert-server.js';
import { latestWorld } from './latest-world.js';

export const worldUri = 'world://current';

/** Runs that `resources/list` shows, the latest; the others can be read as well. */
const listedMaxCount = 50;

/** @param stateDir of the audit store */
export function runResources(stateDir: string): readonly ServerResource[] {
  const reading = async <T>(absent: T, read: (reader: AuditReader) => T): Promise<T> => {
    const { openAuditReader } = await import('../../daemon/store/reader.js');
    const { DriveMcpError } = await import('../../daemon/core/errors.js');
    let reader: AuditReader;
    try {
      reader = openAuditReader(stateDir);
    } catch (error) {
      // No store yet: nothing has run here, which is an answer.
      if (error instanceof DriveMcpError && error.code === 'FILE_MISSING') return absent;
      throw error;
    }
    try {
      return read(reader);
    } finally {
      reader.close();
    }
  };
  return [
    {
      name: 'world',
      title: 'The world as the daemon knows it',
      description:
        'World state in the newest audit record of the latest run, with its age. It can be subscribed to.',
      uri: worldUri,
      mimeType: 'application/json',
      cache: statusCache,
      read: (_, { nowWallMs }) =>
        reading(JSON.stringify(null), (reader) => JSON.stringify(latestWorld(reader, nowWallMs))),
    },
    {
      name: 'audit_run',
      title: 'A run on record',
      description:
        'Head and summary of a run: source, preset, digests, decisions, events, experts, decision hash.',
      uri: 'audit://run/{id}',
      mimeType: 'application/json',
      cache: statusCache,
      list: () =>
        reading([], (reader) =>
          reader
            .runs()
            .slice(-listedMaxCount)
            .reverse()
            .map(({ run_id, source, simulated }) => ({
              uri: `audit://run/${run_id}`,
              name: run_id,
              title: `${source}${simulated ? ' (simulated)' : ''}`,
            })),
        ),
      complete: {
        id: (begun) =>
          reading([], (reader) =>
            reader
              .runs()
              .map(({ run_id }) => run_id)
              .filter((id) => id.startsWith(begun))
              .reverse(),
          ),
      },
      read: ({ id = '' }) =>
        reading(null, (reader) => {
          const run = reader.runs().findLast(({ run_id }) => run_id === id);
          if (run === undefined) return null;
          // Paths of this machine are nobody's business.
          const { recording, summary, ...head } = run;
          const { recording: _, state_dir: __, ...told } = summary ?? {};
          return JSON.stringify({ ...head, has_recording: recording !== null, summary: told });
        }),
    },
  ];
}
