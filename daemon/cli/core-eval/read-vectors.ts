import { DriveMcpError } from '../../core/errors.js';
import { readBounded } from '../../runtime/read-bounded.js';
import { parseLocatedJson } from '../../vehicles/profile/located-json.js';
import { VectorFields } from './vector-fields.js';

const maxBytes = 64 * 1024 * 1024;

/** Reads the `vectors` array of a corpus file and nothing else of it. `-` = standard input. */
export function readVectors(file: string): VectorFields[] {
  const name = file === '-' ? 'standard input' : file;
  const bytes = readBounded(file === '-' ? 0 : file, {
    maxBytes,
    name,
    tooLarge: 'VECTORS_INVALID',
    what: 'test vectors',
  });
  const text = decode(bytes, name);
  const root = parse(text, name);
  const vectors =
    typeof root === 'object' && root !== null ? (root as { vectors?: unknown }).vectors : undefined;
  if (!Array.isArray(vectors)) {
    throw new DriveMcpError('VECTORS_INVALID', 'there is no array of this name', {
      location: { file: name, key: 'vectors' },
    });
  }
  return vectors.map((vector: unknown, i) => {
    const key = `vectors[${i}]`;
    // A vector that is no object is reported in its turn, with the others.
    return typeof vector === 'object' && vector !== null && !Array.isArray(vector)
      ? VectorFields.of(key, vector)
      : new VectorFields(key, {});
  });
}

function decode(bytes: Buffer, name: string): string {
  const refuse = (message: string): DriveMcpError =>
    new DriveMcpError('VECTORS_INVALID', message, { location: { file: name } });
  if (bytes.length === 0) throw refuse('the file is empty');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('the file is not UTF-8 text');
  }
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The fast parser does not say where; the reader that keeps positions throws with line and column.
    parseLocatedJson(text, name, 'VECTORS_INVALID');
    throw new DriveMcpError('VECTORS_INVALID', `not JSON: ${(error as Error).message}`, {
      location: { file: name },
      cause: error,
    });
  }
}
