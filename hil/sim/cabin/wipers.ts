/** Wipers by their switch, as AOSP's WindshieldWipersSwitch numbers it, or by a rain sensor. */
import { wiperMode } from '../car-signals.js';

export const wiperSwitch = {
  OTHER: 0,
  OFF: 1,
  MIST: 2,
  INTERMITTENT_LEVEL_1: 3,
  INTERMITTENT_LEVEL_2: 4,
  INTERMITTENT_LEVEL_3: 5,
  INTERMITTENT_LEVEL_4: 6,
  INTERMITTENT_LEVEL_5: 7,
  CONTINUOUS_LEVEL_1: 8,
  CONTINUOUS_LEVEL_2: 9,
  CONTINUOUS_LEVEL_3: 10,
  CONTINUOUS_LEVEL_4: 11,
  CONTINUOUS_LEVEL_5: 12,
  AUTO: 13,
  SERVICE: 14,
} as const;

/** AOSP's WindshieldWipersState */
export const wiperState = { OTHER: 0, OFF: 1, ON: 2, SERVICE: 3 } as const;

/**
 * From one stroke to the next, ms, pauses included. The slow and the fast continuous speed keep to Regulation (EU) 1008/2010,
 * annex III: one of 10 to 55 cycles a minute, one of at least 45, at least 15 apart.
 */
const periodsMs: Readonly<Record<number, number>> = {
  [wiperSwitch.MIST]: 1500,
  [wiperSwitch.INTERMITTENT_LEVEL_1]: 3000,
  [wiperSwitch.INTERMITTENT_LEVEL_2]: 2750,
  [wiperSwitch.INTERMITTENT_LEVEL_3]: 2500,
  [wiperSwitch.INTERMITTENT_LEVEL_4]: 2250,
  [wiperSwitch.INTERMITTENT_LEVEL_5]: 2000,
  [wiperSwitch.CONTINUOUS_LEVEL_1]: 1500,
  [wiperSwitch.CONTINUOUS_LEVEL_2]: 1300,
  [wiperSwitch.CONTINUOUS_LEVEL_3]: 1150,
  [wiperSwitch.CONTINUOUS_LEVEL_4]: 1000,
  [wiperSwitch.CONTINUOUS_LEVEL_5]: 900,
};
export const longestPeriodMs = 3000;

/** What a rain sensor chooses, by the four levels of `wiperMode`. */
const byRain = [
  wiperSwitch.OFF,
  wiperSwitch.INTERMITTENT_LEVEL_3,
  wiperSwitch.CONTINUOUS_LEVEL_1,
  wiperSwitch.CONTINUOUS_LEVEL_5,
] as const;

export interface WiperAction {
  /** of `wiperState` */
  readonly state: number;
  /** 0 where they rest */
  readonly periodMs: number;
  /** as the car's bus tells it: 0 off, 1 intermittent, 2 slow, 3 fast */
  readonly mode: number;
}

const resting: WiperAction = { state: wiperState.OFF, periodMs: 0, mode: 0 };

export function wiperAction(position: number, precipitation: number): WiperAction {
  const level =
    position === wiperSwitch.AUTO ? (byRain[wiperMode(precipitation)] ?? wiperSwitch.OFF) : position;
  if (level === wiperSwitch.SERVICE) return { ...resting, state: wiperState.SERVICE };
  const periodMs = periodsMs[level];
  if (periodMs === undefined) return resting;
  const mode = level < wiperSwitch.CONTINUOUS_LEVEL_1 ? 1 : level < wiperSwitch.CONTINUOUS_LEVEL_4 ? 2 : 3;
  return { state: wiperState.ON, periodMs, mode };
}
