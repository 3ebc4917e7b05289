/** Lamps by their switches, by light and rain sensors where a switch says so, by pedals; as flags of CARLA's VehicleLightState. */
import { wiperMode } from '../car-signals.js';

/** CARLA's VehicleLightState */
export const lightFlag = {
  position: 1,
  lowBeam: 2,
  highBeam: 4,
  brake: 8,
  rightBlinker: 16,
  leftBlinker: 32,
  reverse: 64,
  fog: 128,
  interior: 256,
} as const;

/** AOSP's VehicleLightSwitch */
export const lightSwitch = { OFF: 0, ON: 1, DAYTIME_RUNNING: 2, AUTOMATIC: 0x100 } as const;
/** AOSP's VehicleLightState */
export const lightState = { OFF: 0, ON: 1, DAYTIME_RUNNING: 2 } as const;

export interface LightSwitches {
  headlights: number;
  highBeam: number;
  frontFog: number;
  rearFog: number;
  hazard: number;
  cabin: number;
  /** the stalk at the wheel */
  indicator: 'none' | 'left' | 'right';
}

export function ordinaryLights(): LightSwitches {
  return {
    headlights: lightSwitch.AUTOMATIC,
    highBeam: lightSwitch.OFF,
    frontFog: lightSwitch.OFF,
    rearFog: lightSwitch.OFF,
    hazard: lightSwitch.OFF,
    cabin: lightSwitch.OFF,
    indicator: 'none',
  };
}

export interface LightSurroundings {
  readonly sunAltitudeDeg: number;
  readonly precipitation: number;
  readonly fogDensity: number;
  readonly vMps: number;
  readonly brakePedal: number;
  readonly isReversing: boolean;
  /** somebody whom high beam would dazzle; null where nothing looks for it */
  readonly hasOthersAhead: boolean | null;
}

export interface Lamps {
  readonly low: boolean;
  readonly high: boolean;
  readonly daytime: boolean;
  readonly frontFog: boolean;
  readonly rearFog: boolean;
  readonly left: boolean;
  readonly right: boolean;
  readonly hazard: boolean;
  readonly brake: boolean;
  readonly reverse: boolean;
  readonly cabin: boolean;
}

/** The light sensor calls it dark below one altitude of the sun and light again above the other. */
const darkDeg = 3;
const lightDeg = 6;
const highBeamFromMps = 40 / 3.6;
/** CARLA's fog densities; rear fog lamps are for sight below 50 m (StVO § 17(3)) */
const foggy = { front: 40, rear: 80 } as const;

/** @param before of the step before: a sensor has hysteresis */
export function lampsNow(switches: LightSwitches, around: LightSurroundings, before: Lamps | null): Lamps {
  const dark = isDark(around.sunAltitudeDeg, before?.low ?? false);
  const wantsLow = dark || wiperMode(around.precipitation) > 0 || around.fogDensity >= foggy.front;
  const low = by(switches.headlights, wantsLow);
  const hazard = by(switches.hazard, false);
  return {
    low,
    high:
      switches.highBeam === lightSwitch.ON ||
      (switches.highBeam === lightSwitch.AUTOMATIC &&
        low &&
        dark &&
        around.vMps > highBeamFromMps &&
        around.hasOthersAhead === false),
    daytime:
      !low &&
      (switches.headlights === lightSwitch.DAYTIME_RUNNING || switches.headlights === lightSwitch.AUTOMATIC),
    frontFog: by(switches.frontFog, low && around.fogDensity >= foggy.front),
    rearFog: by(switches.rearFog, low && around.fogDensity >= foggy.rear),
    left: hazard || switches.indicator === 'left',
    right: hazard || switches.indicator === 'right',
    hazard,
    brake: around.brakePedal > 0,
    reverse: around.isReversing,
    cabin: by(switches.cabin, false),
  };
}

function by(position: number, automatic: boolean): boolean {
  return position === lightSwitch.ON || (position === lightSwitch.AUTOMATIC && automatic);
}

/** Night for the instruments as for the lamps; `wasDark` of the step before. */
export function isDark(sunAltitudeDeg: number, wasDark: boolean): boolean {
  return sunAltitudeDeg < (wasDark ? lightDeg : darkDeg);
}

export function lightFlags(lamps: Lamps): number {
  const { position, lowBeam, highBeam, brake, rightBlinker, leftBlinker, reverse, fog, interior } = lightFlag;
  return (
    (lamps.low ? position | lowBeam : 0) |
    (lamps.high ? highBeam : 0) |
    (lamps.brake ? brake : 0) |
    (lamps.right ? rightBlinker : 0) |
    (lamps.left ? leftBlinker : 0) |
    (lamps.reverse ? reverse : 0) |
    (lamps.frontFog || lamps.rearFog ? fog : 0) |
    (lamps.cabin ? interior : 0)
  );
}

/** What pedals and gear light, and nobody's switch. */
const byItself = lightFlag.brake | lightFlag.reverse | lightFlag.position;

/**
 * Somebody else has set the lamps (CARLA's `set_vehicle_light_state`): the flags that changed are taken as hands on the
 * switches. Both blinkers at once are the hazard lights.
 */
export function operateSwitches(switches: LightSwitches, from: number, to: number): void {
  const changed = (from ^ to) & ~byItself;
  const set = (flag: number): number => ((to & flag) === 0 ? lightSwitch.OFF : lightSwitch.ON);
  if (changed & lightFlag.lowBeam) switches.headlights = set(lightFlag.lowBeam);
  if (changed & lightFlag.highBeam) switches.highBeam = set(lightFlag.highBeam);
  if (changed & lightFlag.fog) {
    switches.frontFog = set(lightFlag.fog);
    if (switches.frontFog === lightSwitch.OFF) switches.rearFog = lightSwitch.OFF;
  }
  if (changed & lightFlag.interior) switches.cabin = set(lightFlag.interior);
  if ((changed & (lightFlag.leftBlinker | lightFlag.rightBlinker)) === 0) return;
  const left = (to & lightFlag.leftBlinker) !== 0;
  const right = (to & lightFlag.rightBlinker) !== 0;
  switches.hazard = left && right ? lightSwitch.ON : lightSwitch.OFF;
  switches.indicator = left === right ? 'none' : left ? 'left' : 'right';
}
