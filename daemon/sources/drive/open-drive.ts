/** Opens whatever was named as the source of a run: a log, a recorded drive, a pipe. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { DriveMcpError } from '../../core/errors.js';
import type { DriveSource, FrameSource, VehicleProfile } from '../../ports.js';
import { type Recording, readRecording } from '../../record/recording-reader.js';
import { openLog } from '../logs/open-log.js';
import { ContainerDrive } from './container-drive.js';
import { LogDrive } from './log-drive.js';

/** An input whose kind is known, before it is known which vehicle profile decodes it. */
export type OpenedInput =
  | {
      readonly kind: 'log';
      readonly frames: FrameSource;
      readonly digest: string;
      readonly madeMs: number | null;
    }
  | { readonly kind: 'drive'; readonly recording: Recording; readonly digest: string };

/** First bytes of a container (see daemon/record): 0x89 "DMR". */
const containerMagic = Buffer.from([0x89, 0x44, 0x4d, 0x52]);

/**
 * @param path a file, or `-` for standard input
 * @throws DriveMcpError FILE_MISSING, FILE_UNREADABLE, LOG_*, RECORDING_*
 */
export async function openInput(path: string): Promise<OpenedInput> {
  if (path === '-') return { kind: 'log', frames: await openLog('-'), digest: 'stdin', madeMs: null };
  if (!(await isContainer(path))) {
    const frames = await openLog(path);
    const { mtimeMs, isFile } = await stat(path).then((s) => ({ mtimeMs: s.mtimeMs, isFile: s.isFile() }));
    return {
      kind: 'log',
      frames,
      digest: isFile ? await fileDigest(path) : 'pipe',
      madeMs: isFile ? mtimeMs : null,
    };
  }
  const recording = await readRecording(path);
  if (recording.header.kind === 'run') {
    await recording.close();
    throw new DriveMcpError('RECORDING_INVALID', 'this is the recording of a run, not a drive', {
      location: { file: path },
      hint: `drivemcp replay ${path} decides on its recorded inputs again`,
    });
  }
  return { kind: 'drive', recording, digest: await fileDigest(path) };
}

/** The input as a drive whose frames go through `profile`. */
export function driveOf(input: OpenedInput, profile: VehicleProfile): DriveSource {
  if (input.kind === 'drive') return new ContainerDrive(input.recording, profile, input.digest);
  return new LogDrive(input.frames, profile, { digest: input.digest, startWallMs: input.madeMs });
}

/**
 * True where the first frame of an input with Unix time was received within the last ten seconds: somebody
 * is sending now. A recorded log piped in is older, and is played on its own time.
 */
export function isLiveTime(frames: FrameSource, firstS: number, wallMs: number): boolean {
  return frames.hasAbsoluteTime && Math.abs(wallMs - firstS * 1000) < 10_000;
}

async function isContainer(path: string): Promise<boolean> {
  let handle: FileHandle | undefined;
  try {
    const { size, isFile } = await stat(path).then((s) => ({ size: s.size, isFile: s.isFile() }));
    // Looking into a named pipe would take its first bytes away.
    if (!isFile || size < containerMagic.length) return false;
    handle = await open(path, 'r');
    const head = Buffer.alloc(containerMagic.length);
    await handle.read(head, 0, head.length, 0);
    return head.equals(containerMagic);
  } catch {
    // Whoever opens it for reading says what is wrong with it.
    return false;
  } finally {
    await handle?.close();
  }
}

async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
