import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { type OutsideSource, outsideMaxBytes } from './outside-weather.js';

/** A JSON file that something else keeps up to date; read anew on every call. */
export function outsideFile(path: string): OutsideSource {
  const file = resolve(path);
  return {
    description: `file ${file}`,
    async read(signal) {
      const location = { file };
      let handle: Awaited<ReturnType<typeof open>> | undefined;
      try {
        // A pipe must not be waited for; only a plain file has a size that can be known before.
        handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
        const status = await handle.stat();
        if (!status.isFile() || status.size > outsideMaxBytes) {
          throw new DriveMcpError(
            'WEATHER_SOURCE_FAILED',
            status.isFile() ? `it has more than ${outsideMaxBytes} bytes` : 'it is no regular file',
            { location },
          );
        }
        signal.throwIfAborted();
        const bytes = Buffer.alloc(outsideMaxBytes);
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
        return bytes.subarray(0, bytesRead);
      } catch (cause) {
        if (cause instanceof DriveMcpError) throw cause;
        const { code } = cause as NodeJS.ErrnoException;
        throw new DriveMcpError('WEATHER_SOURCE_FAILED', `it cannot be read (${code ?? 'withdrawn'})`, {
          location,
          cause,
        });
      } finally {
        await handle?.close();
      }
    },
  };
}
