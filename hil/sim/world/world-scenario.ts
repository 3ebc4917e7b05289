/** What a run of the world depends on, as data. */
import type { WeatherParameters } from '../../carla/wire/weather.js';
import type { FaultEvent } from '../scenario.js';
import type { ScriptStep } from './traffic.js';
import type { Trigger } from './trigger.js';
import type { WalkerScript } from './walkers.js';

export interface SpawnPlace {
  readonly road: string;
  readonly lane: number;
  readonly sM: number;
}

/** Begins at a time, when the ego is this near, when a trigger holds: all that the script names. */
export interface ScriptEvent {
  readonly atS: number;
  readonly whenEgoWithinM: number | null;
  /** and this holds too, where it is there */
  readonly when?: Trigger | undefined;
  readonly step: ScriptStep;
}

export interface VehicleSpawn {
  readonly typeId: string;
  readonly roleName: string;
  readonly place: SpawnPlace;
  readonly vMps: number;
  readonly speedFactor: number;
  readonly script: readonly ScriptEvent[];
  /** each step waits for the one before it; left out: yes */
  readonly isScriptInOrder?: boolean | undefined;
}

/** A point of the weather curve; linear between points. */
export interface WeatherAt {
  readonly tS: number;
  readonly weather: WeatherParameters;
  readonly ambientC: number;
}

/** What a dynamic sign shows from a time on; null: dark. */
export interface DisplaySchedule {
  readonly signalId: string;
  readonly shows: readonly {
    readonly fromS: number;
    readonly value: number | null;
    readonly plate: 'wet' | null;
  }[];
}

export interface WorldScenario {
  readonly id: string;
  readonly seed: number;
  readonly map: string;
  readonly startWallMs: number;
  readonly weather: readonly WeatherAt[];
  /** null: a client brings its own */
  readonly ego: (VehicleSpawn & { readonly brain: 'driver' | 'client' }) | null;
  readonly vehicles: readonly VehicleSpawn[];
  readonly walkers: readonly WalkerScript[];
  readonly displays: readonly DisplaySchedule[];
  /** of the ego: its physics and what it says on the bus change together */
  readonly faults?: readonly FaultEvent[];
}
