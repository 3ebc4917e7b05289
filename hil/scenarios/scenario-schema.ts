/** The format of scenario files (YAML or JSON): keys in snake_case with their units, SI inside. */
import { z } from 'zod';
import { carMessages } from '../sim/car-signals.js';
import { wheels } from '../sim/plant.js';
import { blueprints } from '../sim/world/blueprint.js';
import { whenSchema } from './trigger-schema.js';

export const scenarioFamilies = ['urb-rain', 'cross-border', 'dynamic-vsl', 'other'] as const;

const vehicleNames = blueprints.flatMap(({ id }) =>
  id.startsWith('vehicle.drivemcp.') ? [id.slice('vehicle.drivemcp.'.length)] : [],
);

const id = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case words joined by hyphens, such as town-rain')
  .max(60);
const metres = z.number().min(-100_000).max(100_000);
const seconds = z.number().min(0).max(86_400);
const speed = z.number().min(0).max(100);
const rate = z.number().min(0.1).max(12);
const percent = z.number().min(0).max(100);
const road = z.union([z.string().min(1).max(60), z.int()]).describe('id of a road of the map');

const spawn = z.strictObject({
  road,
  lane: z.int().describe('as in OpenDRIVE: negative to the right of the reference line'),
  s_m: z.number().min(0),
});

/** Begins at a time, when the ego is near, when conditions hold: at the latest of all that is said. */
const when = {
  at_s: seconds.default(0),
  when_ego_within_m: z.number().positive().max(1000).optional(),
  when: whenSchema.optional(),
};

const step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('speed'), ...when, to_mps: speed, accel_mps2: rate.default(1.5) }),
  z.strictObject({ do: z.literal('brake_to'), ...when, to_mps: speed, decel_mps2: rate }),
  z.strictObject({ do: z.literal('stop'), ...when, decel_mps2: rate.default(3) }),
  z.strictObject({
    do: z.literal('cut_in'),
    ...when,
    to: z.enum(['left', 'right']).describe('in the direction of travel'),
    by_m: z.number().positive().max(20).optional().describe('default: the width of its lane'),
    duration_s: z.number().min(0.5).max(20).default(3),
  }),
  z.strictObject({ do: z.literal('follow'), ...when }).describe('back to the ordinary rules of traffic'),
]);

const vehicle = z.strictObject({
  vehicle: z.enum(vehicleNames).default('hatchback'),
  role: z.string().min(1).max(60).default('autopilot'),
  spawn,
  speed_mps: speed.default(0),
  speed_factor: z.number().min(0.3).max(2).default(1).describe('own share of the limit'),
  script: z.array(step).max(50).default([]),
  script_order: z
    .enum(['listed', 'any'])
    .default('listed')
    .describe('any: each step for itself, without waiting for those before it'),
});

const place = z.union([
  z.strictObject({ road, s_m: z.number().min(0), t_m: metres.describe('to the left of the reference line') }),
  z.strictObject({ x_m: metres, y_m: metres }),
]);

const walker = z.strictObject({
  role: z.string().min(1).max(60).default('pedestrian'),
  from: place,
  to: place,
  speed_mps: z.number().min(0.1).max(6).default(1.4),
  not_before_s: seconds.default(0),
  when_ego_within_m: z.number().positive().max(1000).optional(),
  when_ego_within_s: z.number().positive().max(60).optional().describe('at the speed the ego has then'),
  when: whenSchema.optional(),
});

const weatherPoint = z
  .strictObject({
    at_s: seconds.default(0),
    ambient_c: z.number().min(-50).max(60).optional(),
    cloudiness: percent.optional(),
    precipitation: percent.optional(),
    precipitation_deposits: percent.optional(),
    wetness: percent.optional(),
    wind_intensity: percent.optional(),
    fog_density: percent.optional(),
    fog_distance_m: z.number().min(0).max(10_000).optional(),
    fog_falloff: z.number().min(0).max(10).optional(),
    sun_altitude_deg: z.number().min(-90).max(90).optional(),
    sun_azimuth_deg: z.number().min(0).max(360).optional(),
  })
  .describe('linear between points; what a point leaves out stays as it was');

const gantry = z.strictObject({
  signals: z.array(z.string().min(1)).min(1).max(20).describe('ids of dynamic signals of the map'),
  shows: z
    .array(
      z.strictObject({
        from_s: seconds,
        value: z.union([z.number().positive().max(200), z.literal('off')]).describe('in the unit of the map'),
        plate: z.literal('wet').optional(),
      }),
    )
    .min(1)
    .max(200),
});

const frameFault = {
  message: z.enum(carMessages).describe("a message of the simulated car's DBC"),
  at_s: seconds,
  until_s: seconds.optional().describe('left out: to the end'),
};

export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('abs'), at_s: seconds }),
  z.strictObject({ kind: z.literal('esc'), at_s: seconds }),
  z.strictObject({ kind: z.literal('brake_fluid_low'), at_s: seconds }),
  z.strictObject({
    kind: z.literal('tyre_leak'),
    at_s: seconds,
    wheel: z.enum(wheels),
    kpa_per_s: z.number().positive().max(100),
    down_to_kpa: z.number().min(0).max(400).default(120),
  }),
  z.strictObject({ kind: z.literal('frame_lost'), ...frameFault }),
  z.strictObject({ kind: z.literal('frame_frozen'), ...frameFault }).describe('repeats its last payload'),
  z.strictObject({ kind: z.literal('frame_corrupt'), ...frameFault }).describe('one bit of it is wrong'),
]);
export type FaultData = z.infer<typeof faultSchema>;

export const scenarioSchema = z.strictObject({
  id,
  family: z.enum(scenarioFamilies),
  title: z.string().min(1).max(120),
  map: z.string().min(1).max(400).describe('a bundled map by name, or an OpenDRIVE file beside this one'),
  seed: z.int().min(0).max(999_999_999).default(1),
  start: z.iso.datetime({ offset: true }).default('2026-05-18T08:00:00Z').describe('rules have dates'),
  weather: z.array(weatherPoint).min(1).max(200),
  ego: vehicle
    .omit({ script: true, script_order: true, role: true })
    .extend({
      vehicle: z.enum(vehicleNames).default('estate'),
      brain: z
        .enum(['driver', 'client'])
        .default('driver')
        .describe('the model of a human driver, or nobody until a client takes over'),
    })
    .optional()
    .describe('left out: a client spawns its own'),
  vehicles: z.array(vehicle).max(300).default([]),
  walkers: z.array(walker).max(100).default([]),
  gantries: z.array(gantry).max(100).default([]),
  can_faults: z.array(faultSchema).max(20).default([]),
  stop: z
    .strictObject({
      at_s: z.number().positive().max(86_400),
      on_collision: z.boolean().default(false),
      ego_at: z.strictObject({ road, s_m: z.number().min(0) }).optional(),
      ego_travelled_m: z.number().positive().max(1_000_000).optional(),
    })
    .describe('the first of these that happens ends the scenario'),
});

export type ScenarioData = z.infer<typeof scenarioSchema>;
