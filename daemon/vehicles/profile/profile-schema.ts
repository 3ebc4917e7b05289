/**
 * `profile.json`: which DBC signal is which VSS signal.
 *
 *     {"profile": 1,
 *      "name": "my-car",
 *      "dbc": [{"file": "my-car.dbc", "sha256": "…64 hex digits…"}],
 *      "signals": {"WHEELS.SPEED": {"vss": "Vehicle.Speed", "period_ms": 20, "required": true}}}
 *
 * A signal is named `MESSAGE.SIGNAL` as in the DBC. Members of a signal:
 *
 * | member | meaning |
 * |---|---|
 * | `vss` | path of the VSS catalogue |
 * | `unit` | unit of the value after `scale` and `offset`; left out: the DBC's |
 * | `scale`, `offset` | applied to the decoded physical value: `value · scale + offset` |
 * | `period_ms` | expected cycle time |
 * | `min`, `max` | plausible range of the value after `scale` and `offset`, before the unit is converted |
 * | `invalid_raw` | raw values (integers before the DBC's factor) that mean "not available" |
 * | `counter` | alive counter of the message: `{"signal": NAME, "modulo"?: n}` |
 * | `checksum` | checksum of the message: `{"kind": …, "signal": NAME}`, kinds in `frame-checks.ts` |
 * | `required` | true: without this signal the daemon only monitors (mode MONITOR) |
 */
import { z } from 'zod';

export const checksumKinds = ['xor8', 'sum8', 'crc8_sae_j1850', 'nibble_sum4', 'field_sum8'] as const;
export type ChecksumKind = (typeof checksumKinds)[number];

const finite = z.number();
const name = z.string().min(1).max(200);
const rawValue = z.union([
  z.number().int().refine(Number.isSafeInteger, 'an integer beyond 2^53 must be written as a text'),
  z.string().regex(/^-?(0|[1-9][0-9]{0,19})$/, 'a raw value is a decimal integer'),
]);

export const counterSchema = z.strictObject({
  signal: name,
  /** number of counter values; left out: 2 to the power of the signal's length */
  modulo: z.number().int().min(2).max(65_536).optional(),
});
export type CounterSpec = z.infer<typeof counterSchema>;

export const checksumSchema = z.strictObject({
  kind: z.enum(checksumKinds),
  /** DBC signal that holds the checksum */
  signal: name,
  /** `field_sum8` only: the signals that are summed */
  of: z.array(name).min(1).max(32).optional(),
});
export type ChecksumSpec = z.infer<typeof checksumSchema>;

export const profileSignalSchema = z.strictObject({
  vss: z.string().min(1).max(200),
  unit: z.string().max(40).optional(),
  scale: finite.refine((value) => value !== 0, 'a scale of 0 makes every value the same').optional(),
  offset: finite.optional(),
  period_ms: z.number().positive().max(3_600_000).optional(),
  min: finite.optional(),
  max: finite.optional(),
  invalid_raw: z.array(rawValue).max(64).optional(),
  checksum: checksumSchema.optional(),
  counter: counterSchema.optional(),
  required: z.boolean().optional(),
});
export type ProfileSignal = z.infer<typeof profileSignalSchema>;

export const profileSchema = z.strictObject({
  profile: z.literal(1),
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, dot, dash and underscore only'),
  dbc: z
    .array(
      z.strictObject({
        /** name of the file, without folders: it is given with --dbc or lies beside the profile */
        file: z.string().regex(/^(?!\.{1,2}$)[^/\\\p{Cc}]{1,255}$/u, 'a file name without folders'),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/, '64 lower-case hexadecimal digits')
          .optional(),
      }),
    )
    .min(1)
    .max(16),
  signals: z
    .record(z.string(), profileSignalSchema)
    .refine((signals) => Object.keys(signals).length > 0, 'a profile without signals says nothing'),
});
export type Profile = z.infer<typeof profileSchema>;
