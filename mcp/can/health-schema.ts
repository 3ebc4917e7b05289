/** What `can_health` takes and answers. */
import { z } from 'zod';
import { healthGroups, indicatorNames } from '../../daemon/core/safety/health/indicators.js';
import { dtcStatuses } from '../../daemon/core/safety/health/trouble-codes.js';
import { answerStamp } from './vehicle/answer-stamp.js';
import { logArgs, vehicleSource } from './vehicle/vehicle-source.js';

const signalMaxCount = 500;

const troubleCode = z.strictObject({
  code: z
    .string()
    .regex(/^[PCBUpcbu][0-9A-Fa-f]{4}$/)
    .describe('five characters, e.g. C0035'),
  status: z.enum(dtcStatuses),
  ecu: z.string().max(20).optional().describe('control unit; the same code of one unit counts once'),
});

const given = {
  signals: z
    .record(z.string().max(160), z.number().nullable())
    .refine((signals) => Object.keys(signals).length <= signalMaxCount, `at most ${signalMaxCount} signals`)
    .describe('VSS path → value in m/s, °C, kPa, V, % or 0/1; null = received, but not available'),
  trouble_codes: z.array(troubleCode).max(500).optional().describe('missing = not read; [] = read, none'),
  is_bus_off: z.boolean().optional(),
  is_message_lost: z.boolean().optional().describe('a cyclic safety message is missing'),
  is_red_brake_lamp_on: z.boolean().optional(),
};

/** Health of given values. */
export const canHealthArgs = z.strictObject(given);
export type CanHealthArgs = z.output<typeof canHealthArgs>;

/** Health of given values, at the end of a log, or of the car of a running daemon. */
export const canHealthToolArgs = z.strictObject({
  ...given,
  signals: given.signals.optional().describe(`${given.signals.description}; without them a log or daemon`),
  ...logArgs,
});

export const healthContribution = z.strictObject({
  indicator: z.enum(indicatorNames),
  group: z.enum(healthGroups),
  points: z.number().describe('weight times severity'),
  severity: z.number(),
  sources: z.array(
    z.strictObject({
      source: z.string(),
      value: z.number().nullable().optional(),
      unit: z.string().optional(),
      title: z.string().optional().describe('of a trouble code'),
    }),
  ),
  explanation: z.string(),
});

export const canHealthAnswer = z.strictObject({
  health_risk: z.number().nullable().describe('0 = nothing known to be wrong; null = nothing is known'),
  health: z.number().nullable().describe('100 (1 - health_risk)'),
  coverage: z.number().describe('share of what health is made of that is known'),
  brake_effectiveness: z.number(),
  contributions: z.array(healthContribution).describe('worst first'),
  findings: z.array(z.strictObject({ code: z.string(), path: z.string().optional() })),
  ignored_signals: z.array(z.string()).describe('of the given ones, those that say nothing about health'),
  source: vehicleSource.optional(),
  stamp: answerStamp.optional(),
});
export type CanHealthAnswer = z.output<typeof canHealthAnswer>;
