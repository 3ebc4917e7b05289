/** The climate unit: what it was set to, and what it blows then. One evaporator, one recirculation flap, two zones. */
import type { Outside } from './outside.js';

export const zones = ['left', 'right'] as const;
export type Zone = (typeof zones)[number];

/** Bits as AOSP's VehicleHvacFanDirection has them. */
export const fanDirections = { face: 1, floor: 2, defrost: 4 } as const;

export const fanLevels = { lowest: 1, highest: 7 } as const;

export interface ZoneSettings {
  power: boolean;
  auto: boolean;
  /** 1 … 7; 1 is off: nothing is blown (the AOSP panel's OFF writes 1) */
  fanSpeed: number;
  /** sum of `fanDirections` */
  fanDirection: number;
  temperatureC: number;
}

export interface ClimateSettings {
  readonly zones: Record<Zone, ZoneSettings>;
  ac: boolean;
  maxAc: boolean;
  maxDefrost: boolean;
  recirculation: boolean;
  /** with AUTO: recirculates by itself where that saves cooling */
  autoRecirculation: boolean;
  /** air to the windscreen on top of the chosen direction */
  windscreenDefroster: boolean;
  /** heats the rear window, as its electric defroster does */
  rearDefroster: boolean;
  electricWindscreen: boolean;
  electricRearWindow: boolean;
}

export function ordinaryClimate(): ClimateSettings {
  const zone = (): ZoneSettings => ({
    power: true,
    auto: true,
    fanSpeed: 3,
    fanDirection: fanDirections.face,
    temperatureC: 21,
  });
  return {
    zones: { left: zone(), right: zone() },
    ac: true,
    maxAc: false,
    maxDefrost: false,
    recirculation: false,
    autoRecirculation: false,
    windscreenDefroster: false,
    rearDefroster: false,
    electricWindscreen: false,
    electricRearWindow: false,
  };
}

/** What comes out of the vents of one zone. */
export interface ZoneFlow {
  /** 1 … 7 */
  readonly fanLevel: number;
  /** 0 … 1 of the fan's full flow */
  readonly flow: number;
  readonly direction: number;
  /** at the vent, once the unit has settled */
  readonly ventC: number;
}

export interface ClimateAction {
  readonly zones: Readonly<Record<Zone, ZoneFlow>>;
  /** mean of the zones */
  readonly flow: number;
  readonly recirculates: boolean;
  /** the evaporator is cold: what passes it is dried */
  readonly dries: boolean;
  /** of the flow, what goes to the windscreen; 0 … 1 */
  readonly toWindscreen: number;
}

/** What the unit's sensors tell of the cabin. */
export interface SensedAir {
  readonly zoneC: Readonly<Record<Zone, number>>;
  readonly co2Ppm: number;
}

const hottestVentC = 50;
const coldestVentC = 5;
/** what the defroster blows at least */
const maxDefrostVentC = 28;
/** A sensor at the windscreen's foot sees this much fog and AUTO answers. */
const fogNoticed = 0.3;
const recirculationAboveC = 30;
const co2LimitPpm = 1200;

/** What the unit does now: pure, from settings and what its sensors see. `fog` of the windscreen, 0 … 1. */
export function climateAction(
  settings: ClimateSettings,
  air: SensedAir,
  fog: number,
  outside: Outside,
): ClimateAction {
  const isOn = zones.some((zone) => settings.zones[zone].power);
  const isAuto = zones.some((zone) => settings.zones[zone].power && settings.zones[zone].auto);
  const { maxDefrost } = settings;
  const maxAc = settings.maxAc && isOn && !maxDefrost;
  const recirculates = maxDefrost
    ? false
    : maxAc || settings.recirculation || (isAuto && wantsRecirculation(settings, air, outside));
  const dries = maxDefrost || maxAc || (isOn && settings.ac);
  const flowOf = (zone: Zone): ZoneFlow => {
    const { power, auto, fanSpeed, fanDirection, temperatureC } = settings.zones[zone];
    const mixC = recirculates ? air.zoneC[zone] : outside.ambientC;
    if (maxDefrost) {
      const ventC = Math.max(maxDefrostVentC, ventTemperatureC(temperatureC, air.zoneC[zone], mixC, false));
      return { ...fan(fanLevels.highest), direction: fanDirections.defrost, ventC };
    }
    if (!power) return { ...fan(fanLevels.lowest), direction: fanDirection, ventC: mixC };
    if (maxAc) return { ...fan(fanLevels.highest), direction: fanDirections.face, ventC: coldestVentC };
    const ventC = ventTemperatureC(temperatureC, air.zoneC[zone], mixC, dries);
    if (!auto) return { ...fan(fanSpeed), direction: fanDirection, ventC };
    return { ...automatic(temperatureC - air.zoneC[zone], fog), ventC };
  };
  const flows = { left: flowOf('left'), right: flowOf('right') };
  const flow = (flows.left.flow + flows.right.flow) / 2;
  const toWindscreen =
    zones.reduce(
      (sum, zone) => sum + flows[zone].flow * windscreenShare(flows[zone].direction, settings),
      0,
    ) / Math.max(1e-9, 2 * flow);
  return { zones: flows, flow, recirculates, dries, toWindscreen: Math.min(1, toWindscreen) };
}

function fan(level: number): Pick<ZoneFlow, 'fanLevel' | 'flow'> {
  const { lowest, highest } = fanLevels;
  return { fanLevel: level, flow: (level - lowest) / (highest - lowest) };
}

/** The further from the wish, the more air; never none. Fog on the windscreen gets air whatever the temperature. */
function automatic(missingC: number, fog: number): Pick<ZoneFlow, 'fanLevel' | 'flow' | 'direction'> {
  const wanted = Math.round(1 + 0.9 * Math.abs(missingC));
  const isFogged = fog > fogNoticed;
  const level = Math.min(fanLevels.highest, Math.max(isFogged ? 5 : 2, wanted));
  const { defrost, floor, face } = fanDirections;
  const direction = isFogged ? defrost + floor : missingC < 0 ? face : floor;
  return { ...fan(level), direction };
}

function wantsRecirculation(settings: ClimateSettings, air: SensedAir, outside: Outside): boolean {
  return settings.autoRecirculation && outside.ambientC > recirculationAboveC && air.co2Ppm < co2LimitPpm;
}

/**
 * Heats above, cools below what is set, as far as flaps and evaporator go: heat up to 15 K above the wish and 50 °C, cold
 * 8 K below the wish and 12 K below what the fan draws in. The blend flap moves between 0.1 and 0.5 K from the wish.
 */
export function ventTemperatureC(wishC: number, cabinC: number, mixC: number, isCooling: boolean): number {
  const missingC = wishC - cabinC;
  const heated = Math.max(mixC, Math.min(hottestVentC, wishC + 15));
  const cooled = isCooling ? Math.min(mixC, Math.max(coldestVentC, Math.min(wishC - 8, mixC - 12))) : mixC;
  const opening = (byC: number): number => Math.min(1, Math.max(0, (byC - 0.1) / 0.4));
  return mixC + opening(missingC) * (heated - mixC) + opening(-missingC) * (cooled - mixC);
}

function windscreenShare(direction: number, settings: ClimateSettings): number {
  const outlets = [fanDirections.face, fanDirections.floor, fanDirections.defrost];
  const open = outlets.filter((outlet) => (direction & outlet) !== 0).length;
  const share = (direction & fanDirections.defrost) !== 0 && open > 0 ? 1 / open : 0;
  return settings.windscreenDefroster ? Math.max(0.7, share) : share;
}
