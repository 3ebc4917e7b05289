/** What the two ends of an ACT link say to each other, once they know each other. Times are µs of the sender's clock. */
import { z } from 'zod';

export const linkVersion = 1;

const micros = z.number().finite();
const hex = z.string().regex(/^[0-9a-f]{64}$/);

/** bridge → daemon, before anything else */
export const helloSchema = z.strictObject({ hil_act: z.literal(linkVersion), nonce: hex });
/** daemon → bridge */
export const answerSchema = z.strictObject({ nonce: hex, proof: hex });
/** bridge → daemon: it has the key too, or why there is no link */
export const welcomeSchema = z.union([
  z.strictObject({ proof: hex }),
  z.strictObject({ refused: z.enum(['another key', 'there is a daemon already']) }),
]);
export type Refusal = Extract<z.infer<typeof welcomeSchema>, { refused: string }>['refused'];

/** daemon → bridge */
export const fromDaemonSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('intent'),
    /** names the process of the daemon: what it numbers begins anew with another */
    run: z.string().min(1).max(32),
    tick: z.number().int(),
    sent_us: micros,
    /** which intervention of the run it belongs to */
    intervention: micros,
    decel_mps2: z.number().finite(),
    max_ms: z.number().finite(),
    /** what is left of it */
    left_us: micros,
  }),
  z.strictObject({ type: z.literal('release'), tick: z.number().int() }),
  z.strictObject({ type: z.literal('pong'), sent_us: micros, received_us: micros, answered_us: micros }),
]);
export type FromDaemon = z.infer<typeof fromDaemonSchema>;

/** bridge → daemon */
export const fromBridgeSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('ping'),
    sent_us: micros,
    /** the bridge drives the ego, so that an ACT can be carried out on it */
    is_ours: z.boolean(),
  }),
]);
export type FromBridge = z.infer<typeof fromBridgeSchema>;

/** Between two pings; three that do not come are silence, at either end. */
export const pingPeriodMs = 100;
export const silenceMs = 350;
/** Lines that a daemon may say at once, and on average a second: twice a tick, an intent and a pong of 50 Hz. */
export const burstMax = 100;
export const linesPerS = 240;
