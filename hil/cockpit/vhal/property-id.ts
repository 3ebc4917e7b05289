/**
 * How a vehicle property of Android Automotive is numbered (AOSP, VehicleProperty.aidl): group | area type | value type |
 * a number of its own.
 */

export const propertyGroup = { SYSTEM: 0x10000000, VENDOR: 0x20000000 } as const;

export const areaType = {
  GLOBAL: 0x01000000,
  WINDOW: 0x03000000,
  MIRROR: 0x04000000,
  SEAT: 0x05000000,
  DOOR: 0x06000000,
  WHEEL: 0x07000000,
} as const;
export type AreaTypeName = keyof typeof areaType;

export const valueType = {
  STRING: 0x00100000,
  BOOLEAN: 0x00200000,
  INT32: 0x00400000,
  INT32_VEC: 0x00410000,
  INT64: 0x00500000,
  FLOAT: 0x00600000,
  FLOAT_VEC: 0x00610000,
} as const;
export type ValueTypeName = keyof typeof valueType;

const masks = { group: 0xf0000000, area: 0x0f000000, value: 0x00ff0000 } as const;

function nameOf<T extends Record<string, number>>(table: T, value: number): keyof T | undefined {
  return Object.keys(table).find((name) => table[name] === value);
}

/** Area type in the id; undefined where the id is none. */
export function areaTypeOf(id: number): AreaTypeName | undefined {
  return nameOf(areaType, id & masks.area) as AreaTypeName | undefined;
}

export function valueTypeOf(id: number): ValueTypeName | undefined {
  return nameOf(valueType, id & masks.value) as ValueTypeName | undefined;
}

export function isVendor(id: number): boolean {
  return (id & masks.group) === propertyGroup.VENDOR;
}

/** Areas by AOSP's names, per area type. Zones that are sums of seats are told by their parts. */
export const areaNames: Readonly<Partial<Record<AreaTypeName, Readonly<Record<string, number>>>>> = {
  SEAT: {
    ROW_1_LEFT: 0x1,
    ROW_1_CENTER: 0x2,
    ROW_1_RIGHT: 0x4,
    ROW_2_LEFT: 0x10,
    ROW_2_CENTER: 0x20,
    ROW_2_RIGHT: 0x40,
  },
  WINDOW: { FRONT_WINDSHIELD: 0x1, REAR_WINDSHIELD: 0x2 },
  WHEEL: { LEFT_FRONT: 0x1, RIGHT_FRONT: 0x2, LEFT_REAR: 0x4, RIGHT_REAR: 0x8 },
};

/** `ROW_1_LEFT`, for a sum of areas `ROW_1_RIGHT|ROW_1_LEFT`, from the highest bit down as AOSP prints them. */
export function areaName(id: number, area: number): string {
  const names = areaNames[areaTypeOf(id) ?? 'GLOBAL'] ?? {};
  if (area === 0) return 'GLOBAL';
  const parts = Object.entries(names)
    .filter(([, bit]) => bit !== 0 && (area & bit) !== 0)
    .sort(([, one], [, other]) => other - one);
  const covered = parts.reduce((sum, [, bit]) => sum | bit, 0);
  return covered === area ? parts.map(([name]) => name).join('|') : `0x${area.toString(16)}`;
}

/** Number of an area by its name, several joined by |, or written as a number; undefined where it is neither. */
export function areaByName(id: number, text: string): number | undefined {
  if (/^(0x[0-9a-f]{1,8}|\d{1,10})$/i.test(text)) return Number(text);
  if (/^global$/i.test(text)) return 0;
  const names = areaNames[areaTypeOf(id) ?? 'GLOBAL'] ?? {};
  const parts = text
    .toUpperCase()
    .split('|')
    .map((part) => names[part]);
  return parts.every((part) => part !== undefined)
    ? parts.reduce<number>((sum, part) => sum | (part ?? 0), 0)
    : undefined;
}
