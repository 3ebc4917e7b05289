/** The other end of a local service: lines of JSON over a Unix socket that belongs to this user. */
import { lstat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { JsonObject } from '../../core/tick.js';
import { shortAddress } from './socket-place.js';

/** How the errors of a service are worded. */
export interface LineService {
  /** no answer is longer */
  readonly answerMaxBytes: number;
  /** nobody answers; `cause` is the system's word for it, where there is one */
  absent(socketPath: string, cause?: Error): Error;
  /** somebody answers, and it is not what was asked for */
  refused(socketPath: string, why: string): Error;
}

export interface Lines {
  send(object: JsonObject): void;
  /** The next line; rejects where none comes for so long, as `absent`. One that waits without end passes Infinity. */
  next(maxMs: number): Promise<JsonObject>;
  close(): void;
}

/** Connects. Rejects with the errors of the service, or with the signal's reason. */
export async function connectLines(
  socketPath: string,
  service: LineService,
  signal: AbortSignal,
): Promise<Lines> {
  signal.throwIfAborted();
  await checkOwner(socketPath, service);
  const { address, folder } = await shortAddress(socketPath).catch((error: Error) => {
    throw service.absent(socketPath, error);
  });
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
  socket.on('error', (error) => end(service.absent(socketPath, error)));
  socket.on('close', () => {
    signal.removeEventListener('abort', abort);
    end(service.absent(socketPath));
  });
  receive(socket, socketPath, service, end, (line) => {
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
        const timer =
          maxMs === Number.POSITIVE_INFINITY
            ? undefined
            : setTimeout(
                () => end(service.absent(socketPath, new Error(`no answer for ${maxMs} ms`))),
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
  service: LineService,
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
        end(service.refused(socketPath, 'it answers with something that is no line of its protocol'));
        return;
      }
      take(line);
    }
    if (rest.length === 0) return;
    chunks.push(rest);
    size += rest.length;
    if (size > service.answerMaxBytes)
      end(service.refused(socketPath, `its answer has more than ${service.answerMaxBytes} bytes`));
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

/** What stands in `result` of an answer; throws its `error` as a refusal of the service. */
export function resultOf(line: JsonObject, socketPath: string, service: LineService): JsonObject {
  const { result, error } = line;
  if (typeof result === 'object' && result !== null && !Array.isArray(result)) return result as JsonObject;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  throw service.refused(
    socketPath,
    `${String(message ?? 'it gives no reason')} (${String(code ?? 'unknown')})`,
  );
}

/** A socket of somebody else is no service of ours, whatever it answers. */
async function checkOwner(socketPath: string, service: LineService): Promise<void> {
  const found = await lstat(socketPath).catch((error: Error) => {
    throw service.absent(socketPath, error);
  });
  if (!found.isSocket()) throw service.refused(socketPath, 'this is no socket');
  const own = process.getuid?.();
  if (found.uid !== own && found.uid !== 0)
    throw service.refused(socketPath, 'the socket belongs to another user');
}
