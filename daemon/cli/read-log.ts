import type { FrameBatch, LogDiagnostic } from '../core/can/frame-batch.js';
import { DriveMcpError } from '../core/errors.js';
import type { FrameLog } from '../ports.js';
import { openLog } from '../sources/logs/open-log.js';

/** What is known of a log when it has been read. */
export interface ReadLog {
  readonly description: string;
  readonly frames: number;
  readonly damaged: number;
  /** all findings, damage and notes, by code */
  readonly diagnosticsByCode: ReadonlyMap<string, number>;
  readonly firstDiagnostics: readonly LogDiagnostic[];
}

/**
 * Reads a log to its end, or until the command is asked to stop: then also where it waits for a pipe that
 * says nothing, and then an input without a frame is no error.
 */
export async function readLog(
  path: string,
  signal: AbortSignal,
  consume: (batch: FrameBatch) => void,
): Promise<ReadLog> {
  let log: FrameLog | undefined;
  const stop = () => {
    if (path === '-') process.stdin.destroy();
    void log?.close();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    log = await openLog(path);
    for (let batch = await log.next(); batch !== null && !signal.aborted; batch = await log.next()) {
      consume(batch);
    }
  } catch (error) {
    const isStopped = signal.aborted && error instanceof DriveMcpError && error.code === 'LOG_NO_FRAMES';
    if (!isStopped) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await log?.close();
  }
  return (
    log ?? { description: path, frames: 0, damaged: 0, diagnosticsByCode: new Map(), firstDiagnostics: [] }
  );
}
