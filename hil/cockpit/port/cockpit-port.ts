/**
 * The cockpit port in process: the properties of the simulated car as a vehicle HAL offers them. Reads and sets answer at
 * once; what a set does to the car shows from the next step on.
 */
import type { PropertyConfig, PropertyValue } from '../vhal/property-config.js';
import { isReadable, refusalOf, refusalOfArea } from '../vhal/property-config.js';
import { allSeats } from '../vhal/seats.js';
import { type Availability, type Refusal, refusal } from '../vhal/status-code.js';
import { climateProperties } from './climate-properties.js';
import type { CockpitState } from './cockpit-state.js';
import { driveProperties, vendorProperties } from './drive-properties.js';
import { lightProperties } from './light-properties.js';
import type { PropertyBinding } from './property-binding.js';

/** A value as clients get it. */
export interface PropertyReading {
  readonly config: PropertyConfig;
  readonly area: number;
  readonly availability: Availability;
  /** null where it is not available */
  readonly value: PropertyValue | null;
  /** simulator's time at which it became so */
  readonly tS: number;
}

/** By name as AOSP spells it, or by id. */
export type PropertyName = string | number;

const bindings: readonly PropertyBinding[] = [
  ...driveProperties,
  ...climateProperties,
  ...lightProperties,
  ...vendorProperties,
];
const byName = new Map<PropertyName, PropertyBinding>(
  bindings.flatMap((binding) => [
    [binding.config.name, binding],
    [binding.config.id, binding],
  ]),
);

export class CockpitPort {
  readonly #state: CockpitState;
  readonly #readings = new Map<string, PropertyReading>();
  readonly #listeners = new Set<(changed: readonly PropertyReading[]) => void>();
  #tS = 0;

  /** `state` is shared with whoever steps the car; `refresh` tells that it has. */
  constructor(state: CockpitState) {
    this.#state = state;
    this.refresh(0);
  }

  get tS(): number {
    return this.#tS;
  }

  configs(): readonly PropertyConfig[] {
    return bindings.map(({ config }) => config);
  }

  config(prop: PropertyName): PropertyConfig | null {
    return byName.get(prop)?.config ?? null;
  }

  /** `area` undefined: that of a global property, or the only one there is. */
  get(prop: PropertyName, area?: number): PropertyReading | Refusal {
    const found = this.#find(prop, area);
    if ('status' in found) return found;
    const { binding, area: at } = found;
    const { name } = binding.config;
    if (!isReadable(binding.config)) return refusal('ACCESS_DENIED', `${name} can be set only`);
    if (this.#isPowerless(binding, at))
      return refusal('NOT_AVAILABLE_DISABLED', `${name}: the climate is off there (HVAC_POWER_ON)`);
    const reading = this.#readings.get(keyOf(binding.config, at));
    if (reading === undefined || reading.value === null)
      return refusal('NOT_AVAILABLE', `${name} has no value now: there is no ego`);
    return reading;
  }

  /** Null where it was done; else why not, with the code that a vehicle HAL answers with. */
  set(prop: PropertyName, area: number | undefined, value: unknown): Refusal | null {
    const found = this.#find(prop, area);
    if ('status' in found) return found;
    const { binding, area: at } = found;
    const refused = refusalOf(binding.config, at, value);
    if (refused !== null) return refused;
    if (this.#isPowerless(binding, at))
      return refusal(
        'NOT_AVAILABLE_DISABLED',
        `${binding.config.name}: the climate is off there (HVAC_POWER_ON)`,
      );
    binding.write?.(this.#state, at, value as PropertyValue);
    this.#publish(this.#tS);
    return null;
  }

  /** Every reading of a property that can be read, area by area. */
  readingsOf(config: PropertyConfig): readonly PropertyReading[] {
    return config.areas.flatMap((area) => this.#readings.get(keyOf(config, area)) ?? []);
  }

  /** `listen` gets what has changed, at once after it has. Returns what ends it. */
  onChange(listen: (changed: readonly PropertyReading[]) => void): () => void {
    this.#listeners.add(listen);
    return () => void this.#listeners.delete(listen);
  }

  /** To be called behind every step of the car. */
  refresh(tS: number): void {
    this.#tS = tS;
    this.#publish(tS);
  }

  #publish(tS: number): void {
    const changed: PropertyReading[] = [];
    for (const binding of bindings) {
      if (!isReadable(binding.config)) continue;
      for (const area of binding.config.areas) {
        const value = this.#isPowerless(binding, area) ? null : binding.read(this.#state, area);
        const key = keyOf(binding.config, area);
        const before = this.#readings.get(key);
        if (before !== undefined && isSame(before.value, value)) continue;
        const availability = value === null ? 'UNAVAILABLE' : 'AVAILABLE';
        const reading = { config: binding.config, area, availability, value, tS } as const;
        this.#readings.set(key, reading);
        changed.push(reading);
      }
    }
    if (changed.length > 0) for (const listen of this.#listeners) listen(changed);
  }

  #find(prop: PropertyName, area: number | undefined): { binding: PropertyBinding; area: number } | Refusal {
    const binding = byName.get(prop);
    if (binding === undefined) return refusal('INVALID_ARG', `there is no property ${prop}`);
    const { areas, name } = binding.config;
    const at = area ?? (areas.length === 1 ? areas[0] : undefined);
    if (at === undefined) return refusal('INVALID_ARG', `${name} has several areas: say which`);
    return refusalOfArea(binding.config, at) ?? { binding, area: at };
  }

  #isPowerless({ needsPower, config }: PropertyBinding, area: number): boolean {
    if (needsPower !== true || area === allSeats) return false;
    const seat = this.#state.seats[area as keyof CockpitState['seats']];
    return config.areas.includes(area) && !seat.power;
  }
}

function keyOf({ id }: PropertyConfig, area: number): string {
  return `${id}@${area}`;
}

function isSame(one: PropertyValue | null, other: PropertyValue | null): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  return one.length === other.length && one.every((value, i) => value === other[i]);
}
