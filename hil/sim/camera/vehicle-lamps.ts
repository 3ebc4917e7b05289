/** Which lamps of a vehicle are lit: what a client set, what the brake says, and the sensor of dusk that every car here has. */
import { lightFlag } from '../cabin/lights.js';
import type { VehicleActor } from '../world/actor.js';
import type { Atmosphere } from './atmosphere.js';

export interface LitLamps {
  readonly isLit: boolean;
  readonly isHighBeam: boolean;
  readonly isBraking: boolean;
  readonly isReversing: boolean;
  readonly isLeftOn: boolean;
  readonly isRightOn: boolean;
}

/** slower than by the engine alone */
const brakesFromMps2 = 1.2;

export function isDim({ darkness, rain, extinctionPerM }: Atmosphere): boolean {
  return darkness > 0.35 || rain > 0.25 || extinctionPerM > 0.006;
}

export function litLamps(actor: VehicleActor, air: Atmosphere, tS: number): LitLamps {
  const has = (flag: number): boolean => (actor.lightFlags & flag) !== 0;
  const isStanding = Math.abs(actor.vMps) < 0.1 && actor.brain !== 'client';
  const isSlowing = actor.axMps2 < -brakesFromMps2 && actor.vMps > 0.1;
  // Indicators blink at 1.5 Hz (UN R48 has 90 ± 30 a minute).
  const isBlinkOn = (tS * 1.5) % 1 < 0.5;
  return {
    isLit: isDim(air) || has(lightFlag.position) || has(lightFlag.lowBeam) || has(lightFlag.highBeam),
    isHighBeam: has(lightFlag.highBeam),
    isBraking: has(lightFlag.brake) || actor.control.brake > 0.02 || isSlowing || isStanding,
    isReversing: has(lightFlag.reverse) || actor.control.reverse,
    isLeftOn: has(lightFlag.leftBlinker) && isBlinkOn,
    isRightOn: has(lightFlag.rightBlinker) && isBlinkOn,
  };
}
