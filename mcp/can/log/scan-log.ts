/** Reads a log for an answer: from an allowed folder, within bounds of size and time, and given up when asked to. */
import { performance } from 'node:perf_hooks';
import type { FrameBatch } from '../../../daemon/core/can/frame-batch.js';
import type { FrameLog, OpenFrameLog } from '../../../daemon/ports.js';
import type { ToolContext } from '../../shared/expert-tool.js';
import type { FileFolders } from '../files/file-folders.js';

/** A day of a busy bus as text; reading it takes minutes, and the time bound ends it before. */
const logMaxBytes = 4 * 1024 ** 3;
const framesMaxCount = 20_000_000;
/** Hosts give up on a tool after about a minute. */
const scanMaxMs = 20_000;

export const scanEnds = ['end', 'enough', 'frames_bound', 'time_bound'] as const;
/** Why reading ended: at the end of the log, with all that was asked for, or at a bound. */
export type ScanEnd = (typeof scanEnds)[number];

export interface LogAccess {
  readonly folders: FileFolders;
  readonly openLog: OpenFrameLog;
  /** for tests of the bound */
  readonly maxMs?: number;
}

export interface ScannedLog {
  readonly identity: string;
  readonly sizeBytes: number;
  /** null where the log was closed before it could be recognised */
  readonly log: Pick<
    FrameLog,
    | 'description'
    | 'format'
    | 'hasAbsoluteTime'
    | 'frames'
    | 'damaged'
    | 'ignored'
    | 'diagnosticsByCode'
    | 'firstDiagnostics'
  >;
  readonly end: ScanEnd;
}

/**
 * Reads a log batch by batch.
 * @param begin called with the identity of the file before its first frame
 * @param consume returns true when it has enough
 * @throws DriveMcpError as FileFolders.open and opening a log; the reason of the signal where it is aborted
 */
export async function scanLog(
  access: LogAccess,
  name: string,
  context: ToolContext,
  consume: (batch: FrameBatch) => boolean,
  begin: (identity: string) => void = () => undefined,
): Promise<ScannedLog> {
  const { signal } = context;
  const file = await access.folders.open(name, logMaxBytes);
  const startMs = performance.now();
  const maxMs = access.maxMs ?? scanMaxMs;
  let log: FrameLog | undefined;
  let isOverTime = false;
  // A packed file can hold gigabytes without a frame: then nothing but closing the log ends a read.
  const stop = (): void => void log?.close();
  const timer = setTimeout(() => {
    isOverTime = true;
    stop();
  }, maxMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    begin(file.identity);
    log = await access.openLog(file.path, { name });
    let end: ScanEnd = 'end';
    for (let batch = await log.next(); batch !== null; batch = await log.next()) {
      signal.throwIfAborted();
      if (consume(batch)) end = 'enough';
      else if (performance.now() - startMs > maxMs) end = 'time_bound';
      else if (log.frames >= framesMaxCount) end = 'frames_bound';
      context.progress?.(log.frames, Math.max(log.frames, framesMaxCount), `${log.frames} frames read`);
      if (end !== 'end') break;
      // The end of a small read may come without a turn of the event loop, and so may a withdrawal.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    signal.throwIfAborted();
    if (isOverTime && end === 'end') end = 'time_bound';
    return { identity: file.identity, sizeBytes: file.sizeBytes, log, end };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    await log?.close();
    await file.close();
  }
}
