/**
 * CARLA's Response: a variant or an optional inside a struct of one field.
 *   Response<T>     [[1, value]]   error [[0, ["text"]]]
 *   Response<void>  [[false]]      error [[true, ["text"]]]
 */
import { array, type Codec, str, struct, u32 } from './codec.js';
import { wireError } from './wire-error.js';

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

const responseError = struct('ResponseError', { what: str });

export function response<T>(value: Codec<T>): Codec<Outcome<T>> {
  return {
    name: `Response<${value.name}>`,
    absent: { ok: false, error: '' },
    write(writer, outcome) {
      writer.array(1);
      writer.array(2);
      writer.int(outcome.ok ? 1 : 0);
      if (outcome.ok) value.write(writer, outcome.value);
      else responseError.write(writer, { what: outcome.error });
    },
    read(raw, path) {
      const [variant] = array(raw, path);
      const [index, held] = array(variant, `${path}[0]`);
      if (index === 1) return { ok: true, value: value.read(held, path) };
      if (index === 0) return { ok: false, error: responseError.read(held, `${path}.error`).what };
      throw wireError(path, 'neither a value nor an error');
    },
  };
}

export const voidResponse: Codec<Outcome<void>> = {
  name: 'Response<void>',
  absent: { ok: true, value: undefined },
  write(writer, outcome) {
    writer.array(1);
    writer.array(outcome.ok ? 1 : 2);
    writer.bool(!outcome.ok);
    if (!outcome.ok) responseError.write(writer, { what: outcome.error });
  },
  read(raw, path) {
    const [optional] = array(raw, path);
    const [failed, held] = array(optional, `${path}[0]`);
    if (failed === false) return { ok: true, value: undefined };
    if (failed === true) return { ok: false, error: responseError.read(held, `${path}.error`).what };
    throw wireError(path, 'neither done nor an error');
  },
};

/** One result of `apply_batch`, which returns a bare list of them. */
export const commandResponse = response(u32);
