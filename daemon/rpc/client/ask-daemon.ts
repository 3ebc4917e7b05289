/** Asks a running daemon through its signal service. Each question is a connection of its own: a daemon may restart. */
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { DriveMcpError } from '../../core/errors.js';
import type { JsonObject } from '../../core/tick.js';
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
  const lines = await connectTo(socketPath, signal);
  try {
    lines.send({ id: 1, method: 'hello', version: signalProtocolVersion, scopes });
    resultOf(await lines.next(answerMaxMs), socketPath);
    lines.send({ id: 2, method: 'get', subject, ...(paths === undefined ? {} : { paths }) });
    return resultOf(await lines.next(answerMaxMs), socketPath);
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
  const lines = await connectTo(socketPath, signal);
  try {
    lines.send({ id: 1, method: 'hello', version: signalProtocolVersion, scopes });
    resultOf(await lines.next(answerMaxMs), socketPath);
    const wish = { subject, period_ms: periodMs, ...(paths === undefined ? {} : { paths }) };
    lines.send({ id: 2, method: 'subscribe', ...wish });
    resultOf(await lines.next(answerMaxMs), socketPath);
    for (;;) yield resultOf(await lines.next(periodMs + answerMaxMs), socketPath);
  } finally {
    lines.close();
  }
}

interface Lines {
  send(object: JsonObject): void;
  next(maxMs: number): Promise<JsonObject>;
  close(): void;
}

async function connectTo(socketPath: string, signal: AbortSignal): Promise<Lines> {
  signal.throwIfAborted();
  await checkOwner(socketPath);
  const { address, folder } = await shortAddress(socketPath);
  const socket = connect(address);
  socket.once('close', () => void folder?.close());
  const waiting: { resolve: (line: JsonObject) => void; reject: (error: Error) => void }[] = [];
  const arrived: JsonObject[] = [];
  let ended: Error | null = null;
  const end = (error: Error): void => {
    ended ??= error;
    for (const { reject } of waiting.splice(0)) reject(ended);
    socket.destroy();
  };
  const abort = (): void => end(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  socket.on('error', (error) => end(absent(socketPath, error)));
  socket.on('close', () => {
    signal.removeEventListener('abort', abort);
    end(absent(socketPath));
  });
  receive(socket, socketPath, end, (line) => {
    const first = waiting.shift();
    if (first === undefined) arrived.push(line);
    else first.resolve(line);
  });
  return {
    send: (object) => void socket.write(`${JSON.stringify(object)}\n`),
    next: (maxMs) => {
      const line = arrived.shift();
      if (line !== undefined) return Promise.resolve(line);
      if (ended !== null) return Promise.reject(ended);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => end(absent(socketPath, new Error(`no answer for ${maxMs} ms`))),
          maxMs,
        );
        const settle =
          <T>(then: (value: T) => void) =>
          (value: T): void => {
            clearTimeout(timer);
            then(value);
          };
        waiting.push({ resolve: settle(resolve), reject: settle(reject) });
      });
    },
    close: () => socket.destroy(),
  };
}

/** Cuts what arrives into lines; what is no line of the protocol ends the connection. */
function receive(
  socket: Socket,
  socketPath: string,
  end: (error: Error) => void,
  take: (line: JsonObject) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let at = rest.indexOf(0x0a); at >= 0; at = rest.indexOf(0x0a)) {
      chunks.push(rest.subarray(0, at));
      rest = rest.subarray(at + 1);
      const line = jsonObject(Buffer.concat(chunks.splice(0)).toString('utf8'));
      size = 0;
      if (line === null) {
        end(refused(socketPath, 'it answers with something that is no line of its protocol'));
        return;
      }
      take(line);
    }
    if (rest.length === 0) return;
    chunks.push(rest);
    size += rest.length;
    if (size > answerMaxBytes) end(refused(socketPath, `its answer has more than ${answerMaxBytes} bytes`));
  });
}

function jsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}

function resultOf(line: JsonObject, socketPath: string): JsonObject {
  const { result, error } = line;
  if (typeof result === 'object' && result !== null && !Array.isArray(result)) return result as JsonObject;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  throw refused(socketPath, `${String(message ?? 'it gives no reason')} (${String(code ?? 'unknown')})`);
}

/** A socket's address holds 107 bytes; a folder has a short name by its descriptor. */
async function shortAddress(
  socketPath: string,
): Promise<{ readonly address: string; readonly folder: FileHandle | null }> {
  if (Buffer.byteLength(socketPath) <= 107) return { address: socketPath, folder: null };
  const folder = await open(dirname(socketPath)).catch((error: Error) => {
    throw absent(socketPath, error);
  });
  return { address: `/proc/self/fd/${folder.fd}/${basename(socketPath)}`, folder };
}

/** A socket of somebody else is no daemon of ours, whatever it answers. */
async function checkOwner(socketPath: string): Promise<void> {
  const found = await lstat(socketPath).catch((error: Error) => {
    throw absent(socketPath, error);
  });
  if (!found.isSocket()) throw refused(socketPath, 'this is no socket');
  const own = process.getuid?.();
  if (found.uid !== own && found.uid !== 0) throw refused(socketPath, 'the socket belongs to another user');
}

function absent(socketPath: string, cause?: Error): DriveMcpError {
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
}

function refused(socketPath: string, why: string): DriveMcpError {
  return new DriveMcpError('SIGNALS_REFUSED', why, { location: { file: socketPath } });
}
