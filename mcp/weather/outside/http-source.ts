import { isIP } from 'node:net';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { type OutsideSource, outsideMaxBytes } from './outside-weather.js';

/** A grip estimate waits this long for a hint, no longer. */
const timeoutMs = 500;

/**
 * A local HTTP endpoint. Only a loopback address, written as a number, so that no name service decides where the request
 * goes; no redirect is followed.
 * @throws DriveMcpError CONFIG_INVALID for any other address
 */
export function outsideHttp(address: string): OutsideSource {
  const url = URL.canParse(address) ? new URL(address) : null;
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isLoopback = host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  if (url === null || url.protocol !== 'http:' || !isLoopback || url.username !== '' || url.password !== '') {
    throw new DriveMcpError(
      'CONFIG_INVALID',
      'a weather source is an http:// address on 127.0.0.1 or [::1], without user and password',
    );
  }
  return {
    description: `http ${url.href}`,
    async read(signal) {
      const withTimeout = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      try {
        const response = await fetch(url, {
          signal: withTimeout,
          redirect: 'error',
          headers: { accept: 'application/json' },
        });
        if (!response.ok || response.body === null) {
          await response.body?.cancel();
          throw failure(`it answers with status ${response.status}`);
        }
        return await bounded(response.body);
      } catch (cause) {
        if (cause instanceof DriveMcpError) throw cause;
        throw failure(
          withTimeout.aborted ? `no answer within ${timeoutMs} ms` : 'it cannot be reached',
          cause,
        );
      }
    },
  };
}

async function bounded(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > outsideMaxBytes) throw failure(`it sends more than ${outsideMaxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function failure(message: string, cause?: unknown): DriveMcpError {
  return new DriveMcpError('WEATHER_SOURCE_FAILED', message, cause === undefined ? {} : { cause });
}
