/** Runs a scenario and writes what a daemon in that car would have received as a recording of kind `drive`. */
import { createHash } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { FRAME_STRIDE, FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { DriveMcpError } from '../../daemon/core/errors.js';
import type { FactInput } from '../../daemon/core/world/facts.js';
import { RecordingWriter } from '../../daemon/record/recording-writer.js';
import type { DbcDatabase } from '../../daemon/vehicles/dbc/database.js';
import type { Scenario } from './scenario.js';
import { simulate } from './simulator.js';

export interface DriveCounts {
  readonly frames: number;
  readonly facts: number;
}

export interface RecordedDrive extends DriveCounts {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly durationS: number;
}

/** What the drive was made from and what is needed to read it. */
export interface DriveOrigin {
  readonly database: DbcDatabase;
  /** name of the vehicle profile that maps the frames */
  readonly profile: string;
  readonly digests: Readonly<Record<string, string>>;
  readonly productVersion: string;
}

/** frames between two facts are a few dozen; a batch is written at the latest when it is full */
const batchFrames = 1024;
const simulatedBus = 'sim0';

/**
 * Writes the drive of `scenario` to `path`, replacing what is there only when all of it has been written.
 * The same scenario, DBC and compression library give the same bytes. Throws RECORDING_FAILED.
 */
export async function recordDrive(
  scenario: Scenario,
  origin: DriveOrigin,
  path: string,
): Promise<RecordedDrive> {
  const unfinished = `${path}.part`;
  try {
    const counts = await writeDrive(scenario, origin, unfinished);
    await rename(unfinished, path);
    const bytes = await readFile(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { path, sha256, bytes: bytes.length, ...counts, durationS: scenario.durationS };
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    if (cause instanceof DriveMcpError && cause.code === 'INVARIANT') throw cause;
    const root = cause instanceof Error && cause.cause instanceof Error ? cause.cause : (cause as Error);
    throw new DriveMcpError('RECORDING_FAILED', `cannot write the drive: ${root.message}`, {
      location: { file: path },
      cause,
      hint: 'name a file in a folder that this user may write to',
    });
  }
}

async function writeDrive(scenario: Scenario, origin: DriveOrigin, path: string): Promise<DriveCounts> {
  const writer = await RecordingWriter.open(
    path,
    {
      kind: 'drive',
      productVersion: origin.productVersion,
      runId: `${scenario.id}-${scenario.seed}`,
      description: scenario.title,
      preset: null,
      tickPeriodUs: null,
      isSimulated: true,
      startWallMs: scenario.startWallMs,
      digests: origin.digests,
      context: { profile: origin.profile, scenario: scenario.id, seed: scenario.seed },
    },
    // Chunks by size alone: the time it takes to simulate must not show in the bytes.
    { overwrite: true, flushMs: 0, sync: 'end', maxBufferedBytes: 256 * 1024 * 1024 },
  );
  const counts = writeRecords(scenario, origin.database, writer);
  await writer.end({ ...counts, duration_s: scenario.durationS });
  if (writer.state.droppedRecords > 0) {
    throw new DriveMcpError('INVARIANT', `${writer.state.droppedRecords} records did not fit the buffer`);
  }
  return counts;
}

function writeRecords(scenario: Scenario, database: DbcDatabase, writer: RecordingWriter): DriveCounts {
  const batch = new FrameBatch(batchFrames, [simulatedBus]);
  const tUs = new Float64Array(batchFrames);
  let waiting: FactInput[] = [];
  let waitingUs = 0;
  const counts = { frames: 0, facts: 0 };
  const writeFrames = (): void => {
    if (batch.count > 0) writer.frames(batch, tUs);
    batch.clear();
  };
  const writeFacts = (): void => {
    if (waiting.length > 0) writer.facts(waitingUs, waiting);
    waiting = [];
  };
  simulate(scenario, database, {
    frame(atUs, id, data) {
      writeFacts();
      if (batch.isFull) writeFrames();
      const i = batch.count++;
      tUs[i] = atUs;
      batch.id[i] = id;
      batch.length[i] = data.length;
      batch.dlc[i] = data.length;
      batch.data.set(data, i * FRAME_STRIDE);
      counts.frames++;
    },
    fact(arrivedAtUs, fact) {
      writeFrames();
      if (arrivedAtUs !== waitingUs) writeFacts();
      waitingUs = arrivedAtUs;
      waiting.push(fact);
      counts.facts++;
    },
  });
  writeFrames();
  writeFacts();
  return counts;
}
