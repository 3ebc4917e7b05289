/** Values of the cockpit port for people. */
import { columns, compact } from './table.js';

export interface Config {
  readonly prop: string;
  readonly unit: string | null;
  readonly values: Readonly<Record<string, number>> | null;
  readonly bit_mask: boolean;
  readonly areas: readonly { readonly area: number; readonly name: string }[];
}

interface Reading {
  readonly prop?: string | number;
  readonly area?: number;
  readonly value?: unknown;
  readonly status?: string;
  readonly message?: string;
}

/** A line a result: where, value, or status and why not. */
export function cockpitRows(
  results: readonly Reading[],
  configs: readonly Config[],
  width: number,
): readonly string[] {
  const rows = results.map((result) => [
    String(result.prop ?? ''),
    areaOf(result, configs),
    result.status === 'OK' ? printable(result, configs) : `${result.status ?? ''}: ${result.message ?? ''}`,
  ]);
  return columns(rows, ['left', 'left', 'left'], width);
}

/** Name of the area; nothing for a global property. */
export function areaOf({ prop, area }: Reading, configs: readonly Config[]): string {
  const areas = configs.find((config) => config.prop === prop)?.areas ?? [];
  const name = areas.find((one) => one.area === area)?.name;
  return name === 'GLOBAL' ? '' : (name ?? (area === undefined ? '' : `0x${area.toString(16)}`));
}

/** `ON (1)`, `ABS|TYRE_PRESSURE (5)`, `21.5 CELSIUS`, `OK` for a set. */
export function printable({ prop, value }: Reading, configs: readonly Config[]): string {
  if (value === undefined) return 'OK';
  if (value === null) return 'not available';
  const config = configs.find((one) => one.prop === prop);
  const names = config?.values ?? null;
  if (typeof value === 'number' && names !== null) {
    const named = Object.entries(names)
      .filter(([, number]) => (config?.bit_mask === true ? (value & number) !== 0 : number === value))
      .map(([name]) => name);
    return named.length === 0 ? String(value) : `${named.join('|')} (${value})`;
  }
  const text = Array.isArray(value)
    ? `[${value.join(', ')}]`
    : typeof value === 'number'
      ? compact(value)
      : String(value);
  return config?.unit === null || config?.unit === undefined ? text : `${text} ${config.unit}`;
}
