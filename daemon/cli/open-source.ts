import { DriveMcpError } from '../core/errors.js';
import type { DriveSource, VehicleProfile } from '../ports.js';
import { systemClock } from '../runtime/clock.js';
import { LiveDrive } from '../sources/drive/live-drive.js';
import { driveOf, isLiveTime, type OpenedInput } from '../sources/drive/open-drive.js';
import { PeekedFrames } from '../sources/drive/peeked-frames.js';

export interface OpenedSource {
  readonly source: DriveSource;
  /** begins a live input; null = recorded */
  readonly goLive: ((startUs: number) => void) | null;
}

/**
 * The input as a drive. A pipe whose first frame was received just now is live, and so is anything where
 * `isForced` says so; all else is played on its own time.
 */
export async function sourceFrom(
  input: OpenedInput,
  profile: VehicleProfile,
  options: { readonly isPipe: boolean; readonly isForced: boolean },
): Promise<OpenedSource> {
  const mayBeLive = input.kind === 'log' && (options.isPipe || options.isForced);
  if (!mayBeLive) return { source: driveOf(input, profile), goLive: null };
  const { frames, firstS } = await PeekedFrames.peek(input.frames);
  const isLive = options.isForced || (firstS !== null && isLiveTime(frames, firstS, systemClock.wallMs()));
  if (!isLive) return { source: driveOf({ ...input, frames }, profile), goLive: null };
  const source = new LiveDrive(frames, profile, systemClock);
  return { source, goLive: (startUs) => source.start(startUs) };
}

/**
 * Ends the wait for work that may never end (a silent pipe) when the signal aborts.
 * @throws DriveMcpError INTERRUPTED
 */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => {
      // A pipe that is being waited for would keep the process alive.
      process.stdin.destroy();
      reject(new DriveMcpError('INTERRUPTED', 'stopped before the first frame'));
    };
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
