/**
 * Units: every way a DBC or a profile writes one, and how its values become the core's.
 *
 * The core counts in SI (m, s, m/s, m/s², rad), with °C and kPa as the field has them and rpm, %, V as
 * instruments show them. A conversion is `value · mul / div + add`: multiplying and dividing apart keeps
 * km/h → m/s one correctly rounded division by 3.6.
 */

export const coreUnits = {
  speed: 'm/s',
  distance: 'm',
  acceleration: 'm/s^2',
  angle: 'rad',
  angular_rate: 'rad/s',
  rotation: 'rpm',
  temperature: 'degC',
  pressure: 'kPa',
  voltage: 'V',
  current: 'A',
  percentage: '%',
  torque: 'Nm',
  time: 's',
  volume: 'l',
  /** counts, codes and flags */
  none: '',
} as const;

export type Dimension = keyof typeof coreUnits;
export type CoreUnit = (typeof coreUnits)[Dimension];

export interface UnitConversion {
  /** canonical spelling */
  readonly unit: string;
  readonly dimension: Dimension;
  readonly mul: number;
  readonly div: number;
  readonly add: number;
}

function unit(dimension: Dimension, name: string, mul = 1, div = 1, add = 0): UnitConversion {
  return { unit: name, dimension, mul, div, add };
}

/** Standard gravity (ISO 80000-3): the `g` of accelerometers, not the rounded 9.81 of the braking model. */
const standardGravityMps2 = 9.80665;

/** Conversion followed by the spellings seen in public DBC files, lower case and without spaces. */
const table: readonly (readonly [UnitConversion, ...string[]])[] = [
  [
    unit('speed', 'm/s'),
    'm/s',
    'mps',
    'meter/second',
    'meters/second',
    'metres/second',
    'meters/sec',
    'meter/sec',
    'unit_meterpersecond',
    'unit_meterpersecon',
  ],
  [
    unit('speed', 'km/h', 1, 3.6),
    'km/h',
    'kph',
    'kmh',
    'km/hr',
    'kmph',
    'kilometer/hour',
    'kilometersperhour',
    'kilometerperhour',
    'kilometresperhour',
    'unit_kilometerperhour',
    'unit_kilopermeterhour',
  ],
  [unit('speed', 'mph', 0.44704), 'mph', 'mi/h', 'mile/h', 'miles/h', 'milesperhour', 'unit_mileperhour'],
  [unit('speed', 'knot', 1852, 3600), 'knot', 'knots', 'kn', 'kt'],
  [unit('distance', 'm'), 'm', 'meter', 'meters', 'metre', 'metres', 'unit_meter'],
  [
    unit('distance', 'km', 1000),
    'km',
    'kilometer',
    'kilometers',
    'kilometre',
    'kilometres',
    'unit_kilometer',
  ],
  [unit('distance', 'cm', 1, 100), 'cm', 'centimeter', 'unit_centimeter'],
  [unit('distance', 'mm', 1, 1000), 'mm', 'millimeter', 'unit_millimeter'],
  [unit('distance', 'mi', 1609.344), 'mi', 'mile', 'miles'],
  [
    unit('acceleration', 'm/s^2'),
    'm/s^2',
    'm/s2',
    'm/s/s',
    'm/s²',
    'm/s**2',
    'mps2',
    'm/(s^2)',
    'm/sec^2',
    'm/sec2',
    'meterpersecondsquared',
    'unit_meterpersecondsquared',
    'unit_meterpersecosquar',
    'unit_meterperseconsquar',
    'unit_meterpersquaresecond',
    'meters/sec/sec',
    'meter/sec/sec',
  ],
  [
    unit('acceleration', 'g', standardGravityMps2),
    'g',
    'g_force',
    "g's",
    'unit_forceofgravity',
    'unit_forceofgravi',
  ],
  [unit('angle', 'rad'), 'rad', 'radian', 'radians', 'radian(s)'],
  [
    unit('angle', 'deg', Math.PI, 180),
    'deg',
    'degree',
    'degrees',
    'degre',
    '°',
    'unit_degree',
    'unit_degreofarc',
    'unit_degreeofarc',
    '°grad',
    'degs',
    'angulardegree',
  ],
  [
    unit('angular_rate', 'rad/s'),
    'rad/s',
    'rad/sec',
    'radian/s',
    'radians/s',
    'radians/sec',
    'radians/second',
  ],
  [
    unit('angular_rate', 'deg/s', Math.PI, 180),
    'deg/s',
    'deg/sec',
    'degree/s',
    'degrees/s',
    'degree/sec',
    'degrees/sec',
    'deg/second',
    'degrees/second',
    '°/s',
    '°/sec',
    'unit_degreepersecond',
    'unit_degreofarcpersecon',
    'grad/s',
    'grad/sec',
    '°grad/s',
    'degré/s',
    'deg/sek',
  ],
  [
    unit('rotation', 'rpm'),
    'rpm',
    '1/min',
    'u/min',
    'r/min',
    'rev/min',
    'min-1',
    'min^-1',
    '/min',
    'revolutionsperminute',
    'rotationsperminute',
    'unit_minutinvers',
    'unit_minutinver',
    'upm',
    'umin',
    'unit_revolutionperminute',
  ],
  [
    unit('temperature', 'degC'),
    'degc',
    'celsius',
    'c',
    '°c',
    '℃',
    'deg_c',
    'degreec',
    'degreesc',
    'degree_c',
    'degreecelsius',
    'degreescelsius',
    'degcelsius',
    'grad_c',
    'unit_degreecelsius',
    'unit_degrecelsi',
  ],
  [
    unit('temperature', 'degF', 5, 9, -160 / 9),
    'degf',
    'fahrenheit',
    'f',
    '°f',
    'deg_f',
    'degreef',
    'degreesf',
  ],
  [unit('temperature', 'K', 1, 1, -273.15), 'k', 'kelvin'],
  [unit('pressure', 'kPa'), 'kpa', 'kilopascal', 'kilopascals', 'unit_kilopascal'],
  [unit('pressure', 'Pa', 1, 1000), 'pa', 'pascal'],
  [
    unit('pressure', 'hPa', 1, 10),
    'hpa',
    'mbar',
    'millibar',
    'hectopascal',
    'unit_millibar',
    'unit_hectopascal',
  ],
  [unit('pressure', 'MPa', 1000), 'mpa'],
  [unit('pressure', 'bar', 100), 'bar', 'unit_bar'],
  [unit('pressure', 'psi', 6.894757293168361), 'psi', 'psia', 'psig', 'lbf/in2'],
  [unit('voltage', 'V'), 'v', 'volt', 'volts', 'unit_volt'],
  [unit('voltage', 'mV', 1, 1000), 'mv', 'millivolt', 'millivolts', 'unit_millivolt'],
  [unit('current', 'A'), 'a', 'amp', 'amps', 'ampere', 'amperes', 'unit_amper', 'unit_ampere'],
  [unit('percentage', '%'), '%', 'percent', 'pct', 'prozent', 'percentage', 'unit_percent', 'unit_percen'],
  [unit('percentage', 'ratio', 100), 'ratio', 'fraction'],
  [
    unit('torque', 'Nm'),
    'nm',
    'n*m',
    'n.m',
    'n-m',
    'newtonmeter',
    'newton-meter',
    'unit_newtonmeter',
    'unit_newtometer',
  ],
  [unit('time', 's'), 's', 'sec', 'second', 'seconds'],
  [unit('time', 'ms', 1, 1000), 'ms', 'msec', 'millisecond', 'milliseconds'],
  [unit('time', 'min', 60), 'min', 'minute', 'minutes'],
  [unit('time', 'h', 3600), 'h', 'hour', 'hours'],
  [unit('volume', 'l'), 'l', 'liter', 'litre', 'liters', 'litres'],
  [
    unit('none', ''),
    '',
    '-',
    'sed',
    'unitless',
    'none',
    'discrete',
    'bool',
    'boolean',
    'flag',
    'enum',
    'bit',
    'n/a',
    'unit_none',
    'number',
    'count',
    'counts',
    '1',
  ],
];

const bySpelling = new Map<string, UnitConversion>();
for (const [conversion, ...spellings] of table) {
  for (const spelling of spellings) bySpelling.set(spelling, conversion);
}

/**
 * What a unit text means for a quantity of a dimension, or null where it does not fit. The dimension decides
 * where DBC authors are ambiguous: "deg" of a temperature is °C, "deg" of a steering wheel is an angle.
 */
export function unitFor(text: string, dimension: Dimension): UnitConversion | null {
  const spelling = normalise(text);
  if (dimension === 'temperature' && (spelling === 'deg' || spelling === '°' || spelling === 'degree')) {
    return bySpelling.get('degc') ?? null;
  }
  if (dimension === 'angular_rate') {
    // "deg" beside a yaw rate is the author's shorthand for degrees per second.
    if (spelling === 'deg' || spelling === '°') return bySpelling.get('deg/s') ?? null;
  }
  const conversion = bySpelling.get(spelling);
  return conversion?.dimension === dimension ? conversion : null;
}

/** The dimension a unit text names by itself, or null: unknown spelling or none given. */
export function dimensionOf(text: string): Dimension | null {
  const conversion = bySpelling.get(normalise(text));
  return conversion === undefined || conversion.dimension === 'none' ? null : conversion.dimension;
}

export function toCoreUnit(value: number, conversion: UnitConversion): number {
  return (value * conversion.mul) / conversion.div + conversion.add;
}

export function fromCoreUnit(value: number, conversion: UnitConversion): number {
  return ((value - conversion.add) * conversion.div) / conversion.mul;
}

function normalise(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s\u00a0]+/g, '')
    .replaceAll('º', '°')
    .replace(/^\[(.*)\]$/, '$1');
}
