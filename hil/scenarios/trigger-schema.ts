/** Conditions of a scenario file, and what they are for the simulated world. */
import { z } from 'zod';
import type { Trigger, TriggerCondition } from '../sim/world/trigger.js';

const who = z.string().min(1).max(60).describe('self (default), ego, or the role of a vehicle or a walker');
const metres = z.number().min(0).max(100_000);
const seconds = z.number().min(0).max(86_400);
const point = z.strictObject({
  x_m: z.number().min(-100_000).max(100_000),
  y_m: z.number().min(-100_000).max(100_000),
});
const pair = { of: who.default('self'), to: who.default('ego'), freespace: z.boolean().default(false) };

const condition = z.union([
  z.strictObject({ from_s: seconds }),
  z.strictObject({ until_s: seconds }),
  z.strictObject({
    ...pair,
    distance_below_m: metres,
    along: z.enum(['straight', 'along', 'across']).default('straight'),
  }),
  z.strictObject({
    ...pair,
    distance_above_m: metres,
    along: z.enum(['straight', 'along', 'across']).default('straight'),
  }),
  z.strictObject({ ...pair, headway_below_s: seconds }),
  z.strictObject({ ...pair, headway_above_s: seconds }),
  z.strictObject({ ...pair, to: z.union([who, point]).default('ego'), ttc_below_s: seconds }),
  z.strictObject({ ...pair, to: z.union([who, point]).default('ego'), ttc_above_s: seconds }),
  z.strictObject({ of: who.default('self'), reaches: point, within_m: metres }),
  z.strictObject({ of: who.default('self'), travelled_above_m: metres }),
  z.strictObject({ of: who.default('self'), travelled_below_m: metres }),
  z.strictObject({ of: who.default('self'), speed_above_mps: z.number().min(0).max(200) }),
  z.strictObject({ of: who.default('self'), speed_below_mps: z.number().min(0).max(200) }),
  z.strictObject({ of: who.default('self'), stands_s: seconds }),
]);
export type ConditionData = z.infer<typeof condition>;

export const whenSchema = z
  .union([z.array(condition).min(1).max(20), z.array(z.array(condition).min(1).max(20)).min(1).max(20)])
  .describe('conditions that hold together; a list of lists is a choice of such');
export type WhenData = z.infer<typeof whenSchema>;

export function toTrigger(when: WhenData | undefined): Trigger | undefined {
  if (when === undefined) return undefined;
  const together = when.filter((one): one is ConditionData => !Array.isArray(one));
  const choices = when.filter((one): one is ConditionData[] => Array.isArray(one));
  return (choices.length > 0 ? choices : [together]).map((all) => all.map(toCondition));
}

function toCondition(data: ConditionData): TriggerCondition {
  if ('from_s' in data) return { kind: 'time', rule: 'above', valueS: data.from_s };
  if ('until_s' in data) return { kind: 'time', rule: 'below', valueS: data.until_s };
  if ('reaches' in data) {
    const { x_m: x, y_m: y } = data.reaches;
    return { kind: 'reach', of: data.of, at: { x, y }, withinM: data.within_m };
  }
  if ('stands_s' in data) return { kind: 'standing', of: data.of, forS: data.stands_s };
  const { of } = data;
  if ('travelled_above_m' in data)
    return { kind: 'travelled', of, rule: 'above', valueM: data.travelled_above_m };
  if ('travelled_below_m' in data)
    return { kind: 'travelled', of, rule: 'below', valueM: data.travelled_below_m };
  if ('speed_above_mps' in data) return { kind: 'speed', of, rule: 'above', valueMps: data.speed_above_mps };
  if ('speed_below_mps' in data) return { kind: 'speed', of, rule: 'below', valueMps: data.speed_below_mps };
  const isFree = data.freespace;
  if ('distance_below_m' in data || 'distance_above_m' in data) {
    const { to, along } = data;
    const bound = 'distance_below_m' in data ? data.distance_below_m : data.distance_above_m;
    const rule = 'distance_below_m' in data ? 'below' : 'above';
    return { kind: 'distance', of, to, rule, valueM: bound, along, isFree };
  }
  if ('headway_below_s' in data)
    return { kind: 'headway', of, to: data.to, rule: 'below', valueS: data.headway_below_s, isFree };
  if ('headway_above_s' in data)
    return { kind: 'headway', of, to: data.to, rule: 'above', valueS: data.headway_above_s, isFree };
  const to = typeof data.to === 'string' ? data.to : { x: data.to.x_m, y: data.to.y_m };
  return 'ttc_below_s' in data
    ? { kind: 'ttc', of, to, rule: 'below', valueS: data.ttc_below_s, isFree }
    : { kind: 'ttc', of, to, rule: 'above', valueS: data.ttc_above_s, isFree };
}
