/**
 * The protocol of the daemon's signal service: one JSON object a line in both directions, over a Unix socket in the state
 * directory. A client says hello with the version and the scopes it wants, then asks; answers bear the `id` of their
 * request. There is no method that changes anything.
 */
import { z } from 'zod';

export const signalProtocolVersion = 1;

/** Longer lines of a client are no requests of ours. */
export const requestMaxBytes = 8192;
/** No answer is longer; a client gives up on a longer one. */
export const answerMaxBytes = 4 * 1024 * 1024;
export const pathsMaxCount = 200;
export const subscriptionMinMs = 100;

export const subjects = ['signals', 'status', 'health', 'dtcs', 'world'] as const;
/** What can be asked for. */
export type Subject = (typeof subjects)[number];

const id = z.union([z.number().int(), z.string().max(64)]);
const paths = z.array(z.string().max(200)).max(pathsMaxCount).optional();

export const signalRequest = z.discriminatedUnion('method', [
  z.strictObject({
    id,
    method: z.literal('hello'),
    version: z.number().int(),
    scopes: z.array(z.string().max(200)).min(1).max(64),
    client: z.string().max(64).optional(),
  }),
  z.strictObject({ id, method: z.literal('get'), subject: z.enum(subjects), paths }),
  z.strictObject({
    id,
    method: z.literal('subscribe'),
    subject: z.enum(subjects),
    paths,
    period_ms: z.number().int().min(subscriptionMinMs).max(60_000),
  }),
]);
export type SignalRequest = z.output<typeof signalRequest>;

export const refusals = [
  'malformed',
  'too_long',
  'hello_first',
  'version',
  'scope',
  'busy',
  'too_many_subscriptions',
] as const;
export type Refusal = (typeof refusals)[number];
