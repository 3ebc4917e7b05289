/** What a scenario is: everything a run of the simulator depends on, as data. */
import type { EventType } from '../../daemon/core/events/event-types.js';
import type { DriverModel } from './driver.js';
import type { LeadScript } from './lead.js';
import type { FrameFault, VehicleModel, Wheel } from './plant.js';
import type { Road } from './road.js';
import type { WeatherPoint } from './weather.js';

/** Something breaks; physics and CAN change together. */
export type FaultEvent =
  | { readonly kind: 'abs'; readonly atS: number }
  | { readonly kind: 'esc'; readonly atS: number }
  | { readonly kind: 'brake_fluid_low'; readonly atS: number }
  | {
      readonly kind: 'tyre_leak';
      readonly atS: number;
      readonly wheel: Wheel;
      readonly kpaPerS: number;
      readonly downToKpa: number;
    }
  | {
      /** of the bus alone: nothing of the car is broken */
      readonly kind: 'frame';
      readonly fault: FrameFault;
      /** name of the message */
      readonly message: string;
      readonly atS: number;
      readonly untilS: number;
    };

/** What a correct assistant notices, and when: the reference of tests and of the event metrics. */
export interface StoryElement {
  readonly event: EventType | 'act';
  readonly onsetS: number;
  readonly what: string;
}

/** What the random streams of a run grow from: two scenarios with one number have different noise. */
export function seedOf(scenario: Pick<Scenario, 'id' | 'seed'>): string {
  return `${scenario.id}/${scenario.seed}`;
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly seed: number;
  readonly durationS: number;
  /** Unix ms of scenario time 0: rules have validity dates */
  readonly startWallMs: number;
  readonly road: Road;
  readonly weather: readonly WeatherPoint[];
  readonly ego: {
    readonly startM: number;
    readonly vMps: number;
    readonly car: VehicleModel;
    readonly driver: DriverModel;
  };
  readonly leads: readonly LeadScript[];
  readonly faults: readonly FaultEvent[];
  readonly story: readonly StoryElement[];
}
