/**
 * Which VSS signals (COVESA Vehicle Signal Specification 6) say something about health, what values are
 * possible at all, and how severe a value is.
 */
import { clamp01 } from '../braking-envelope.js';
import type { HealthValues, IndicatorName } from './indicators.js';

/** What else must be known to judge a value. */
export interface HealthContext {
  /** null = not known */
  readonly engineRpm: number | null;
  readonly speedMps: number | null;
}

export interface HealthSignal {
  readonly indicator: IndicatorName;
  /** a flag clears after a time, a level by hysteresis */
  readonly kind: 'flag' | 'level';
  /** wheel index for what is counted by wheel */
  readonly wheel: number | null;
  /** false: the sensor or the mapping is wrong, not the car; NaN and infinities always are */
  isPlausible(value: number): boolean;
  severity(value: number, values: HealthValues, context: HealthContext): number;
  /** weight where it depends on the value */
  weight?(value: number, values: HealthValues): number;
}

/** Linear from 0 at `onset` to 1 at `full`, in either direction. */
export function ramp(value: number, onset: number, full: number): number {
  return clamp01((value - onset) / (full - onset));
}

const isFlag = (value: number): boolean => value === 0 || value === 1;
const isPercent = (value: number): boolean => value >= 0 && value <= 100;
/** −40 and 215 are what an 8-bit OBD temperature shows for an open or shorted sensor (raw 00 and FF). */
const isTemperature = (value: number): boolean => value > -40 && value < 215;
/** VSS words CRITICALLY_LOW −2, LOW −1, NORMAL 0, HIGH 1, CRITICALLY_HIGH 2, as the signal catalogue codes them. */
const isLevelWord = (value: number): boolean => value >= -2 && value <= 2 && Number.isInteger(value);
const isLow = (value: number): number => (value < 0 ? 1 : 0);
/** VSS words NORMAL 0, WARNING 1, ALERT 2. */
const isStatusWord = (value: number): boolean => value >= 0 && value <= 2 && Number.isInteger(value);
const alertShare = (value: number): number => value / 2;

function flag(indicator: IndicatorName): HealthSignal {
  return { indicator, kind: 'flag', wheel: null, isPlausible: isFlag, severity: (value) => value };
}

function level(
  indicator: IndicatorName,
  isPlausible: (value: number) => boolean,
  severity: HealthSignal['severity'],
): HealthSignal {
  return { indicator, kind: 'level', wheel: null, isPlausible, severity };
}

/** Deficit of tyre pressure against the placard as 0…1; excess pressure is not a deficit. */
export function tyreDeficitSeverity(pressureKpa: number, values: HealthValues): number {
  const deficit = (values.tyrePlacardKpa - pressureKpa) / values.tyrePlacardKpa;
  return ramp(deficit, values.tyreOnsetRatio, values.tyreFullRatio);
}

export function tyreSeverity(pressureKpa: number, values: HealthValues): number {
  const excess = (pressureKpa - values.tyrePlacardKpa) / values.tyrePlacardKpa;
  return excess > values.tyreOverRatio
    ? values.tyreOverSeverityRatio
    : tyreDeficitSeverity(pressureKpa, values);
}

function voltageSeverity(value: number, values: HealthValues, context: HealthContext): number {
  if (!isRunning(context)) return ramp(value, values.voltageRestingOnsetV, values.voltageRestingFullV);
  return Math.max(
    ramp(value, values.voltageRunningLowOnsetV, values.voltageRunningLowFullV),
    ramp(value, values.voltageRunningHighOnsetV, values.voltageRunningHighFullV),
  );
}

/** A generator is expected to charge where the engine turns; a car of unknown engine speed, where it drives. */
function isRunning(context: HealthContext): boolean {
  if (context.engineRpm !== null) return context.engineRpm >= 400;
  return context.speedMps !== null && context.speedMps > 1;
}

const engine = 'Vehicle.Powertrain.CombustionEngine';

const carSignals: readonly (readonly [path: string, signal: HealthSignal])[] = [
  ['Vehicle.ADAS.ABS.IsError', flag('abs')],
  ['Vehicle.ADAS.ESC.IsError', flag('esc')],
  ['Vehicle.ADAS.EBD.IsError', flag('ebd')],
  ['Vehicle.ADAS.TCS.IsError', flag('tcs')],
  ['Vehicle.ADAS.EBA.IsError', flag('eba')],
  [
    `${engine}.EngineCoolant.Temperature`,
    level('coolant', isTemperature, (value, p) => ramp(value, p.coolantOnsetC, p.coolantFullC)),
  ],
  [
    `${engine}.EngineCoolant.Level`,
    level('coolant_level', isLevelWord, (value, p) => isLow(value) * p.coolantLowSeverityRatio),
  ],
  [`${engine}.EngineOil.PressureStatus`, level('oil_pressure', isStatusWord, alertShare)],
  [
    `${engine}.EngineOil.Temperature`,
    level('oil_temperature', isTemperature, (value, p) => ramp(value, p.oilOnsetC, p.oilFullC)),
  ],
  [
    'Vehicle.LowVoltageBattery.CurrentVoltage',
    level('low_voltage', (value) => value > 3 && value < 36, voltageSeverity),
  ],
  [
    'Vehicle.Powertrain.TractionBattery.StateOfHealth',
    level(
      'traction_battery',
      (value) => value > 0 && value <= 100,
      (value, p) => ramp(value, p.batterySohOnsetPct, p.batterySohFullPct),
    ),
  ],
  [
    'Vehicle.Powertrain.TractionBattery.Temperature.Max',
    level('traction_battery', isTemperature, (value, p) =>
      ramp(value, p.batteryCellOnsetC, p.batteryCellFullC),
    ),
  ],
  [
    'Vehicle.Powertrain.Transmission.Temperature',
    level('transmission', isTemperature, (value, p) =>
      ramp(value, p.transmissionOnsetC, p.transmissionFullC),
    ),
  ],
  [
    // Not in VSS since 6.0; the path of its OBD overlay. 1 = steady, 2 = flashing.
    'Vehicle.OBD.Status.IsMILOn',
    {
      indicator: 'mil',
      kind: 'flag',
      wheel: null,
      isPlausible: (value) => value === 0 || value === 1 || value === 2,
      severity: (value) => Math.min(1, value),
      weight: (value, p) => (value === 2 ? p.milFlashingWeightRatio : p.milSteadyWeightRatio),
    },
  ],
  [`${engine}.DieselExhaustFluid.IsLevelLow`, flag('def')],
  ['Vehicle.Service.IsServiceDue', flag('service')],
];

const wheelNames = ['Row1.Wheel.Left', 'Row1.Wheel.Right', 'Row2.Wheel.Left', 'Row2.Wheel.Right'] as const;

/** Per wheel; brake fluid and pads count by the worst of the car, tyres one by one. */
function wheelSignals(wheel: number): (readonly [path: string, signal: HealthSignal])[] {
  const base = `Vehicle.Chassis.Axle.${wheelNames[wheel]}`;
  return [
    [`${base}.Brake.IsFluidLevelLow`, flag('brake_fluid')],
    [
      `${base}.Brake.FluidLevel`,
      level('brake_fluid', isPercent, (value, p) => ramp(value, p.brakeFluidOnsetPct, p.brakeFluidFullPct)),
    ],
    [
      `${base}.Brake.PadWear`,
      level('pad_wear', isPercent, (value, p) => ramp(value, p.padWearOnsetPct, p.padWearFullPct)),
    ],
    [`${base}.Brake.IsBrakesWorn`, flag('pad_wear')],
    [
      `${base}.Tire.Pressure`,
      {
        ...level(
          'tyre_pressure',
          (value) => value >= 0 && value <= 1000,
          (value, p) => tyreSeverity(value, p),
        ),
        wheel,
      },
    ],
    [
      `${base}.Tire.IsPressureLow`,
      { ...flag('tyre_pressure'), severity: (value, p) => value * p.tyreLampSeverityRatio, wheel },
    ],
  ];
}

/** All signals that enter health, by VSS path. */
export const healthSignals: ReadonlyMap<string, HealthSignal> = new Map([
  ...carSignals,
  ...wheelNames.flatMap((_, wheel) => wheelSignals(wheel)),
]);

/** Signals that only help to judge others. */
export const contextPaths = {
  engineRpm: `${engine}.Speed`,
  speedMps: 'Vehicle.Speed',
} as const;
