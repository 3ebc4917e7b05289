import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DriveMcpError } from '../../core/errors.js';
import { asFileError, type ByteInput } from './byte-input.js';

const chunkBytes = 262_144;
/** A bound on the disk that a compressed input can fill. */
const spooledBytesMax = 4_294_967_296;

/**
 * Copies an input into a temporary file for formats that need random access. The file has no name any more when
 * this returns, so nothing is left behind however the process ends. Returns its descriptor.
 *
 * Errors: `FILE_UNREADABLE` where the temporary folder cannot take it, `LOG_DAMAGED` beyond 4 GiB.
 */
export async function spool(input: ByteInput, name: string): Promise<number> {
  const fd = openUnnamed();
  const chunk = new Uint8Array(chunkBytes);
  let total = 0;
  try {
    for (;;) {
      const count = await input.read(chunk, 0);
      if (count === 0) return fd;
      total += count;
      if (total > spooledBytesMax) {
        throw new DriveMcpError('LOG_DAMAGED', 'the unpacked log is larger than 4 GiB', {
          location: { file: name },
          hint: 'unpack it into a file first and open that',
        });
      }
      for (let done = 0; done < count; ) done += writeSync(fd, chunk, done, count - done);
    }
  } catch (error) {
    closeSync(fd);
    throw asFileError(error, name);
  }
}

function openUnnamed(): number {
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'drivemcp-log-'));
  } catch (error) {
    throw asFileError(error, tmpdir());
  }
  try {
    return openSync(join(folder, 'spool'), 'wx+', 0o600);
  } catch (error) {
    throw asFileError(error, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
