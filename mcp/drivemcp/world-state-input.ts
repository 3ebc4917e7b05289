/** A world state as a caller describes it, and as inputs of the decision core: every fact observed now, by a map. */
import { z } from 'zod';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { contextPaths, healthSignals } from '../../daemon/core/safety/health/health-signals.js';
import type { SignalSample } from '../../daemon/core/tick.js';
import { type FactInput, roadClasses, roadSurfaces, signCategories } from '../../daemon/core/world/facts.js';
import {
  longitudinalAccelerationPath,
  signalSpecByPath,
  speedPath,
} from '../../daemon/core/world/signal-paths.js';

const percent = z.number().min(0).max(100).optional();
const unit = z.enum(['km/h', 'mph']);

export const worldStateInput = z.strictObject({
  speed_mps: z.number().min(-30).max(120).describe('own speed'),
  acceleration_mps2: z.number().min(-25).max(25).optional(),
  leads: z
    .array(
      z.strictObject({
        cls: z.enum(['car', 'truck', 'bus', 'motorcycle', 'bicycle', 'pedestrian', 'other']).default('car'),
        gap_m: z.number().min(0).max(1000).describe('bumper to bumper'),
        closing_mps: z.number().min(-120).max(120).describe('positive = approaching'),
        in_path: z.number().min(0).max(1).default(1).describe('how surely in our lane; counts from 0.5'),
      }),
    )
    .max(32)
    .optional()
    .describe('road users ahead; an empty list = surely nobody, absent = not known'),
  jurisdiction: z
    .string()
    .regex(/^[A-Z]{3}(\/[A-Z0-9]{1,8}){0,3}$/, 'a path such as DEU or GBR/WLS')
    .optional(),
  road: z
    .strictObject({
      road_class: z.enum(roadClasses).optional(),
      carriageway: z.enum(['single', 'separated']).optional(),
      surface: z.enum(roadSurfaces).optional(),
      lanes_per_dir: z.number().int().min(1).max(12).optional(),
      lit: z.boolean().optional(),
    })
    .optional(),
  weather: z
    .strictObject({
      precipitation: percent,
      precipitation_deposits: percent,
      wetness: percent,
      fog_density: percent,
    })
    .optional(),
  sign: z
    .strictObject({
      category: z.enum(signCategories).default('speed_limit'),
      code: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,11}$/, 'a code of a sign catalogue such as 274')
        .optional(),
      value: z.number().int().min(1).max(200).optional(),
      unit: unit.optional(),
      condition: z.enum(['none', 'wet', 'time', 'truck']).optional(),
    })
    .optional(),
  gantry: z
    .strictObject({ value: z.number().int().min(1).max(200).nullable(), unit })
    .optional()
    .describe('value null = dark or ended'),
  signals: z
    .record(
      z
        .string()
        .max(120)
        .regex(/^Vehicle(\.[A-Za-z0-9]+)+$/, 'a VSS path'),
      z.number(),
    )
    .optional()
    .describe('further vehicle signals by VSS path, speeds in m/s and angles in rad'),
  confidence: z.number().min(0).max(1).default(1).describe('of everything that is not a vehicle signal'),
});
export type WorldStateInput = z.output<typeof worldStateInput>;

/** @throws DriveMcpError TOOL_ARGS_INVALID for a signal that the core does not read, with some that it does */
export function signalsOf(world: WorldStateInput): SignalSample[] {
  const samples = new Map<string, number>([[speedPath, world.speed_mps]]);
  if (world.acceleration_mps2 !== undefined)
    samples.set(longitudinalAccelerationPath, world.acceleration_mps2);
  for (const [path, value] of Object.entries(world.signals ?? {})) {
    if (!isRead(path)) {
      throw new DriveMcpError('TOOL_ARGS_INVALID', `the decision core does not read '${path}'`, {
        location: { key: `world_state.signals.${path}` },
        hint: `near it: ${nearest(path).join(', ')}`,
      });
    }
    samples.set(path, value);
  }
  return [...samples].map(([path, value]) => ({ path, value, observedAtUs: 0, changes: 1 }));
}

export function factsOf(world: WorldStateInput): FactInput[] {
  const facts: FactInput[] = [];
  const add = <K extends FactInput['kind']>(
    kind: K,
    value: Extract<FactInput, { kind: K }>['value'] | undefined,
  ): void => {
    if (value === undefined) return;
    facts.push({ kind, value, conf: world.confidence, provenance: 'map', observedAtUs: 0 } as FactInput);
  };
  const { road, weather, sign, gantry } = world;
  add('jurisdiction', world.jurisdiction);
  if (road !== undefined) {
    const { road_class: roadClass, lanes_per_dir: lanesPerDir, ...rest } = road;
    add('road', defined({ roadClass, lanesPerDir, ...rest }));
  }
  if (weather !== undefined) {
    const { precipitation, precipitation_deposits, wetness, fog_density } = weather;
    add(
      'weather',
      defined({
        precipitation,
        precipitationDeposits: precipitation_deposits,
        wetness,
        fogDensity: fog_density,
      }),
    );
  }
  add(
    'actors',
    world.leads?.map(({ cls, gap_m, closing_mps, in_path }, i) => ({
      id: `lead-${i + 1}`,
      cls,
      gapM: gap_m,
      closingMps: closing_mps,
      inPath: in_path,
    })),
  );
  if (sign !== undefined) add('sign', { id: 'sign-1', ...defined(sign) } as never);
  if (gantry !== undefined) add('gantry', { id: 'gantry-1', ...gantry });
  return facts;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without members that are undefined: an absent fact is absent. */
function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

const contexts: ReadonlySet<string> = new Set(Object.values(contextPaths));

function isRead(path: string): boolean {
  return signalSpecByPath.has(path) || healthSignals.has(path) || contexts.has(path);
}

/** Paths with the same last word, else those of the core's own list. */
function nearest(path: string): string[] {
  const last = path.slice(path.lastIndexOf('.'));
  const all = [...new Set([...signalSpecByPath.keys(), ...healthSignals.keys()])];
  const alike = all.filter((known) => known.endsWith(last));
  return (alike.length > 0 ? alike : [...signalSpecByPath.keys()]).slice(0, 8);
}
