/**
 * What one client has subscribed to. ON_CHANGE values are told when they change, CONTINUOUS ones at most at the rate that was
 * asked for, in the simulator's time. What cannot be told yet is kept as the latest value alone: a slow reader misses values
 * in between, never the last one.
 */
import type { JsonObject } from '../../../daemon/core/tick.js';
import { isReadable, type PropertyConfig, refusalOfArea } from '../vhal/property-config.js';
import { areaName } from '../vhal/property-id.js';
import { type Refusal, refusal } from '../vhal/status-code.js';
import type { CockpitPort, PropertyReading } from './cockpit-port.js';

interface Wish {
  /** id of the request: events bear it */
  readonly id: number | string;
  readonly areas: readonly number[];
  /** of CONTINUOUS ones, s; 0: every change */
  readonly periodS: number;
  /** by area: when it was told last, in the simulator's time */
  readonly toldS: Map<number, number>;
}

export interface SubscribeWish {
  readonly prop: string | number;
  readonly areas?: readonly number[] | undefined;
  readonly rate_hz?: number | undefined;
}

export class Subscriptions {
  /** values that were replaced by newer ones before they could be told */
  coalesced = 0;
  readonly #port: CockpitPort;
  readonly #wishes = new Map<number, Wish>();
  readonly #waiting = new Map<string, PropertyReading>();

  constructor(port: CockpitPort) {
    this.#port = port;
  }

  get isEmpty(): boolean {
    return this.#wishes.size === 0;
  }

  /** Null where it was done, as the vehicle HAL checks it; the values of now are told first. */
  add(id: number | string, { prop, areas, rate_hz: rateHz }: SubscribeWish): Refusal | null {
    const config = this.#port.config(prop);
    if (config === null) return refusal('INVALID_ARG', `there is no property ${prop}`);
    const refused = refusalOfWish(config, areas, rateHz);
    if (refused !== null) return refused;
    const wanted = areas === undefined || areas.length === 0 ? config.areas : areas;
    const periodS = rateHz === undefined ? 0 : 1 / rateHz;
    this.#wishes.set(config.id, { id, areas: wanted, periodS, toldS: new Map() });
    for (const reading of this.#port.readingsOf(config)) this.#keep(reading);
    return null;
  }

  /** Null where it was done. */
  remove(prop: string | number): Refusal | null {
    const config = this.#port.config(prop);
    if (config === null || !this.#wishes.delete(config.id))
      return refusal('INVALID_ARG', `${prop} is not subscribed to`);
    for (const key of [...this.#waiting.keys()])
      if (key.startsWith(`${config.id}@`)) this.#waiting.delete(key);
    return null;
  }

  changed(readings: readonly PropertyReading[]): void {
    for (const reading of readings) this.#keep(reading);
  }

  /** Events that are due at this time of the simulator, and are no longer kept; one a subscription. */
  due(tS: number): readonly JsonObject[] {
    const events = new Map<number | string, JsonObject[]>();
    for (const [key, reading] of this.#waiting) {
      const wish = this.#wishes.get(reading.config.id);
      if (wish === undefined) continue;
      const told = wish.toldS.get(reading.area);
      // A simulator that began anew has gone back in time.
      if (told !== undefined && tS >= told && tS - told < wish.periodS - 1e-6) continue;
      wish.toldS.set(reading.area, tS);
      this.#waiting.delete(key);
      events.set(wish.id, [...(events.get(wish.id) ?? []), readingObject(reading)]);
    }
    return [...events].map(([id, values]) => ({ id, event: 'values', t_s: round(tS), values }));
  }

  #keep(reading: PropertyReading): void {
    const wish = this.#wishes.get(reading.config.id);
    if (wish === undefined || !wish.areas.includes(reading.area)) return;
    const key = `${reading.config.id}@${reading.area}`;
    if (this.#waiting.has(key)) this.coalesced++;
    this.#waiting.set(key, reading);
  }
}

function refusalOfWish(
  config: PropertyConfig,
  areas: readonly number[] | undefined,
  rateHz: number | undefined,
): Refusal | null {
  const { name, changeMode, sampleHz } = config;
  if (!isReadable(config)) return refusal('ACCESS_DENIED', `${name} can be set only`);
  if (changeMode === 'STATIC') return refusal('INVALID_ARG', `${name} never changes: read it once`);
  for (const area of areas ?? []) {
    const refused = refusalOfArea(config, area);
    if (refused !== null) return refused;
  }
  if (rateHz === undefined) return null;
  if (sampleHz === null) return refusal('INVALID_ARG', `${name} is told when it changes: it has no rate`);
  return rateHz >= sampleHz.min && rateHz <= sampleHz.max
    ? null
    : refusal('INVALID_ARG', `${name} has rates of ${sampleHz.min} to ${sampleHz.max} Hz`);
}

/** A reading as clients get it. */
export function readingObject({ config, area, availability, value, tS }: PropertyReading): JsonObject {
  return {
    prop: config.name,
    id: config.id,
    area,
    area_name: areaName(config.id, area),
    availability,
    value: value as JsonObject[string],
    t_s: round(tS),
  };
}

function round(tS: number): number {
  return Math.round(tS * 1e6) / 1e6;
}
