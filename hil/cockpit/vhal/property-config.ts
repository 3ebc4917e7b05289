/** What a head unit is told of a property: AOSP's VehiclePropConfig, and which values a set may have. */
import { areaName, areaTypeOf, isVendor, type ValueTypeName, valueTypeOf } from './property-id.js';
import { type Refusal, refusal } from './status-code.js';

export type PropertyValue = boolean | number | string | readonly number[];

export type Access = 'READ' | 'WRITE' | 'READ_WRITE';
export type ChangeMode = 'STATIC' | 'ON_CHANGE' | 'CONTINUOUS';

export interface PropertyConfig {
  readonly name: string;
  readonly id: number;
  readonly access: Access;
  readonly changeMode: ChangeMode;
  /** [0] for a global property */
  readonly areas: readonly number[];
  /** AOSP's VehicleUnit, where the value has one */
  readonly unit: string | null;
  readonly range: { readonly min: number; readonly max: number } | null;
  /** the only values, by AOSP's names; of a bit mask its bits */
  readonly values: Readonly<Record<string, number>> | null;
  readonly isBitMask: boolean;
  readonly configArray: readonly number[];
  /** of CONTINUOUS ones */
  readonly sampleHz: { readonly min: number; readonly max: number } | null;
}

type Extra = Partial<
  Pick<PropertyConfig, 'areas' | 'unit' | 'range' | 'values' | 'isBitMask' | 'configArray'>
>;

/** A world steps 20 times a second; faster than that nothing changes. */
const continuousHz = { min: 1, max: 20 } as const;

export function property(
  name: string,
  id: number,
  access: Access,
  changeMode: ChangeMode,
  extra: Extra = {},
): PropertyConfig {
  return {
    name,
    id,
    access,
    changeMode,
    areas: extra.areas ?? [0],
    unit: extra.unit ?? null,
    range: extra.range ?? null,
    values: extra.values ?? null,
    isBitMask: extra.isBitMask ?? false,
    configArray: extra.configArray ?? [],
    sampleHz: changeMode === 'CONTINUOUS' ? continuousHz : null,
  };
}

export function typeOf({ id }: Pick<PropertyConfig, 'id'>): ValueTypeName {
  return valueTypeOf(id) ?? 'STRING';
}

export function isReadable({ access }: Pick<PropertyConfig, 'access'>): boolean {
  return access !== 'WRITE';
}

/** Null where `value` may be set in `area`; else the code that a vehicle HAL answers with, and why. */
export function refusalOf(config: PropertyConfig, area: number, value: unknown): Refusal | null {
  const { name, range, values } = config;
  if (config.access === 'READ') return refusal('ACCESS_DENIED', `${name} can be read only`);
  const unknownArea = refusalOfArea(config, area);
  if (unknownArea !== null) return unknownArea;
  const type = typeOf(config);
  if (!isOf(type, value)) return refusal('INVALID_ARG', `${name} takes ${typeWords[type] ?? type}`);
  if (typeof value !== 'number') return null;
  if (range !== null && (value < range.min || value > range.max))
    return refusal('INVALID_ARG', `${name} takes ${range.min} to ${range.max}`);
  if (values !== null && !Object.values(values).includes(value))
    return refusal(
      'INVALID_ARG',
      `${name} takes ${Object.entries(values)
        .map(([word, number]) => `${number} (${word})`)
        .join(', ')}`,
    );
  return null;
}

export function refusalOfArea({ name, id, areas }: PropertyConfig, area: number): Refusal | null {
  if (areas.includes(area)) return null;
  const known = areas.map((one) => `${areaName(id, one)} (0x${one.toString(16)})`).join(', ');
  return refusal('INVALID_ARG', `${name} has no area 0x${area.toString(16)}; it has ${known}`);
}

const typeWords: Partial<Record<ValueTypeName, string>> = {
  BOOLEAN: 'true or false',
  INT32: 'a whole number of 32 bits',
  FLOAT: 'a number',
  STRING: 'a text',
};

function isOf(type: ValueTypeName, value: unknown): boolean {
  switch (type) {
    case 'BOOLEAN':
      return typeof value === 'boolean';
    case 'INT32':
      return typeof value === 'number' && Number.isInteger(value) && value === (value | 0);
    case 'FLOAT':
      return typeof value === 'number' && Number.isFinite(Math.fround(value));
    case 'STRING':
      return typeof value === 'string';
    default:
      // No property of the port that can be set has another type.
      return false;
  }
}

/** A config as it goes to clients: keys in snake_case. */
export function configObject(config: PropertyConfig) {
  const { name, id, areas, range, sampleHz } = config;
  return {
    prop: name,
    id,
    area_type: areaTypeOf(id) ?? 'GLOBAL',
    type: typeOf(config),
    access: config.access,
    change_mode: config.changeMode,
    areas: areas.map((area) => ({ area, name: areaName(id, area) })),
    unit: config.unit,
    min: range?.min ?? null,
    max: range?.max ?? null,
    values: config.values,
    bit_mask: config.isBitMask,
    config_array: config.configArray,
    min_sample_hz: sampleHz?.min ?? null,
    max_sample_hz: sampleHz?.max ?? null,
    vendor: isVendor(id),
  };
}
