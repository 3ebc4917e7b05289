/**
 * The cockpit port between processes: one JSON object a line in both directions over a Unix socket. A client says hello with
 * the version, then lists, reads, sets and subscribes to properties; answers bear the `id` of their request. Values and
 * refusals are those of a vehicle HAL: a set of ten properties is ten results, each with its status.
 */
import { z } from 'zod';

export const cockpitProtocolVersion = 1;

/** Longer lines of a client are no requests of ours. */
export const requestMaxBytes = 65_536;
/** No answer is longer; a client gives up on a longer one. */
export const answerMaxBytes = 1024 * 1024;
export const valuesMaxCount = 256;

const id = z.union([z.number().int(), z.string().max(64)]);
const prop = z
  .union([z.string().min(1).max(80), z.number().int().min(0).max(0xffffffff)])
  .describe('name as AOSP spells it, or id');
const area = z.number().int().min(0).max(0xffffffff).optional();
const value = z.union([z.boolean(), z.number(), z.string().max(1000)]);

export const cockpitRequest = z.discriminatedUnion('method', [
  z.strictObject({
    id,
    method: z.literal('hello'),
    version: z.number().int(),
    client: z.string().max(64).optional(),
  }),
  z.strictObject({ id, method: z.literal('list') }),
  z.strictObject({
    id,
    method: z.literal('get'),
    values: z.array(z.strictObject({ prop, area })).min(1).max(valuesMaxCount),
  }),
  z.strictObject({
    id,
    method: z.literal('set'),
    values: z.array(z.strictObject({ prop, area, value })).min(1).max(valuesMaxCount),
  }),
  z.strictObject({
    id,
    method: z.literal('subscribe'),
    props: z
      .array(
        z.strictObject({
          prop,
          areas: z.array(z.number().int().min(0).max(0xffffffff)).max(32).optional(),
          rate_hz: z.number().positive().max(1000).optional(),
        }),
      )
      .min(1)
      .max(valuesMaxCount),
  }),
  z.strictObject({ id, method: z.literal('unsubscribe'), props: z.array(prop).min(1).max(valuesMaxCount) }),
]);
export type CockpitRequest = z.output<typeof cockpitRequest>;
