/** What stands behind the properties: the body of the ego, its switches, and what the drive said last. */

import type { BodySettings, BodyState } from '../../sim/cabin/car-body.js';
import { ordinarySettings } from '../../sim/cabin/car-body.js';
import type { ZoneSettings } from '../../sim/cabin/climate.js';
import type { Outside } from '../../sim/cabin/outside.js';
import { cabinSeats, type SeatArea } from '../vhal/seats.js';
import type { EgoMoment } from './ego-moment.js';

/** The drive as far as it has come; nothing before the first step and while there is no ego. */
export interface Driven {
  readonly moment: EgoMoment;
  readonly outside: Outside;
  readonly body: BodyState;
  readonly isNight: boolean;
  readonly odometerM: number;
}

export interface CockpitState {
  readonly settings: BodySettings;
  /**
   * Settings of the climate by seat. The front seats' are those of the two zones; the rear seats' are kept and told, and
   * blow nothing: the model has no rear zone.
   */
  readonly seats: Readonly<Record<SeatArea, ZoneSettings>>;
  /** one wish of temperature for all seats */
  dual: boolean;
  readonly occupied: ReadonlySet<SeatArea>;
  driven: Driven | null;
}

/** @param people who sit in the car, the driver first */
export function initialState(people: number): CockpitState {
  const settings = ordinarySettings();
  const { left, right } = settings.climate.zones;
  const [driver, passenger, ...rear] = cabinSeats;
  return {
    settings,
    seats: {
      [driver]: left,
      [passenger]: right,
      ...Object.fromEntries(rear.map((seat) => [seat, { ...left }])),
    } as Record<SeatArea, ZoneSettings>,
    dual: false,
    occupied: new Set(cabinSeats.slice(0, people)),
    driven: null,
  };
}
