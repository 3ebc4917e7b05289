/** Asks a running daemon through its signal service. Each question is a connection of its own: a daemon may restart. */
import { DriveMcpError } from '../../core/errors.js';
import type { JsonObject } from '../../core/tick.js';
import { connectLines, type LineService, resultOf } from '../lines/line-client.js';
import { answerMaxBytes, type Subject, signalProtocolVersion } from '../protocol.js';

/** The service answers between two ticks; a daemon that does not answer for so long hangs. */
const answerMaxMs = 2000;

export interface DaemonQuestion {
  readonly subject: Subject;
  /** of signals: only these paths and what is below them */
  readonly paths?: readonly string[];
  /** what the connection may read, e.g. `read:Vehicle.Speed`; exactly what is needed */
  readonly scopes: readonly string[];
}

/**
 * One answer.
 * @throws DriveMcpError DAEMON_ABSENT where nobody answers, SIGNALS_REFUSED where the answer is no; the reason of the signal
 */
export async function askDaemon(
  socketPath: string,
  { subject, paths, scopes }: DaemonQuestion,
  signal: AbortSignal,
): Promise<JsonObject> {
  const lines = await connectLines(socketPath, signalService, signal);
  const answer = async (): Promise<JsonObject> =>
    resultOf(await lines.next(answerMaxMs), socketPath, signalService);
  try {
    lines.send({ id: 1, method: 'hello', version: signalProtocolVersion, scopes });
    await answer();
    lines.send({ id: 2, method: 'get', subject, ...(paths === undefined ? {} : { paths }) });
    return await answer();
  } finally {
    lines.close();
  }
}

/**
 * What a subject shows, again and again until the signal says so or the daemon ends.
 * @throws DriveMcpError as `askDaemon`
 */
export async function* watchDaemon(
  socketPath: string,
  { subject, paths, scopes }: DaemonQuestion,
  periodMs: number,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  const lines = await connectLines(socketPath, signalService, signal);
  const answer = async (maxMs: number): Promise<JsonObject> =>
    resultOf(await lines.next(maxMs), socketPath, signalService);
  try {
    lines.send({ id: 1, method: 'hello', version: signalProtocolVersion, scopes });
    await answer(answerMaxMs);
    const wish = { subject, period_ms: periodMs, ...(paths === undefined ? {} : { paths }) };
    lines.send({ id: 2, method: 'subscribe', ...wish });
    await answer(answerMaxMs);
    for (;;) yield await answer(periodMs + answerMaxMs);
  } finally {
    lines.close();
  }
}

const signalService: LineService = {
  answerMaxBytes,
  absent(socketPath, cause) {
    const { code, message } = (cause ?? {}) as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT'
        ? 'no daemon offers its signals here'
        : code === 'ECONNREFUSED'
          ? 'the daemon that offered its signals here is gone'
          : code === 'EACCES'
            ? 'this user may not ask the daemon'
            : `the daemon does not answer${message === undefined ? '' : ` (${code ?? message})`}`;
    return new DriveMcpError('DAEMON_ABSENT', why, {
      location: { file: socketPath },
      ...(cause === undefined ? {} : { cause }),
    });
  },
  refused: (socketPath, why) => new DriveMcpError('SIGNALS_REFUSED', why, { location: { file: socketPath } }),
};
