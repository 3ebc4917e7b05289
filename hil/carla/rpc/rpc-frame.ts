/**
 * rpclib's frames. A request is `[0, id, method, params]`, an answer `[1, id, error, result]`. CARLA puts one more
 * parameter in front of all others: metadata `[isAsync]`. An asynchronous call is answered at once with a default value
 * that means nothing, so every call here is a synchronous one.
 */
import { bool, encode, kindOf, list, str, struct } from '../wire/codec.js';
import { MsgpackWriter } from '../wire/msgpack-writer.js';
import { wireError } from '../wire/wire-error.js';

export const metadata = struct('Metadata', { isAsync: bool });
export const syncCall = encode(metadata, { isAsync: false });

const requestType = 0;
const answerType = 1;

export interface RpcRequest {
  readonly id: number;
  readonly method: string;
  /** metadata first */
  readonly params: readonly unknown[];
}

export interface RpcAnswer {
  readonly id: number;
  /** rpclib's own error: unknown method, number or type of the parameters */
  readonly error: string | null;
  readonly result: unknown;
}

/** `params` are encoded values without the metadata, which is put in front. */
export function writeRequest(id: number, method: string, params: readonly Uint8Array[]): Buffer {
  const writer = new MsgpackWriter();
  writer.array(4);
  writer.int(requestType);
  writer.int(id);
  writer.str(method);
  writer.array(params.length + 1);
  writer.raw(syncCall);
  for (const param of params) writer.raw(param);
  return writer.finish();
}

/** Asks for a method's number of parameters: with metadata alone nothing of more parameters is carried out. */
export function writeAnswer(id: number, error: string | null, result: Uint8Array | null): Buffer {
  const writer = new MsgpackWriter();
  writer.array(4);
  writer.int(answerType);
  writer.int(id);
  if (error === null) writer.nil();
  else writer.str(error);
  if (result === null) writer.nil();
  else writer.raw(result);
  return writer.finish();
}

/** A message as decoded from the stream: rpclib tells calls and notifications apart by their length alone. */
export function readRequest(value: unknown): RpcRequest | { readonly notification: string } {
  if (Array.isArray(value) && value.length === 3) return { notification: str.read(value[1], 'notification') };
  if (!Array.isArray(value) || value.length !== 4)
    throw wireError('request', `a call is an array of 4, not ${kindOf(value)}`);
  const [, id, method, params] = value as unknown[];
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 0) throw wireError('request', 'no call id');
  if (!Array.isArray(params)) throw wireError('request', 'no parameters');
  return { id, method: str.read(method, 'request.method'), params };
}

export function readAnswer(value: unknown): RpcAnswer {
  if (!Array.isArray(value) || value.length !== 4 || value[0] !== answerType)
    throw wireError('answer', `an answer is [1, id, error, result], not ${kindOf(value)}`);
  const [, id, error, result] = value as unknown[];
  if (typeof id !== 'number' || !Number.isInteger(id)) throw wireError('answer', 'no call id');
  if (error !== null && typeof error !== 'string')
    return { id, error: `an error that is ${kindOf(error)}`, result };
  return { id, error, result };
}

export const stringList = list(str);
