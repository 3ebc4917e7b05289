/**
 * Responsibility-Sensitive Safety (Shalev-Shwartz, Shammah, Shashua 2017): the safe distances, longitudinal in
 * the same and in opposite directions, lateral, and before an intersection.
 *
 * All decelerations are positive magnitudes. A result is null where an input is outside the ranges the
 * formulas are meant for.
 */

export interface RssDynamics {
  readonly accelMaxMps2: number;
  readonly brakeMaxMps2: number;
  readonly brakeMinMps2: number;
  readonly brakeMinCorrectMps2: number;
  readonly lateralAccelMaxMps2: number;
  readonly lateralBrakeMinMps2: number;
  readonly responseTimeS: number;
  readonly lateralFluctuationM: number;
  /** no acceleration above this speed during the response time */
  readonly accelSpeedMaxMps: number;
  readonly minDistanceM: number;
}

/** Beyond it nothing on a road moves; the reference implementation refuses such input too. */
const speedLimitMps = 100;
const accelLimitMps2 = 100;

/** The follower may accelerate during its response time, then brakes at least `brakeMin`; the lead brakes hard. */
export function sameDirectionDistanceM(
  rearMps: number,
  frontMps: number,
  rear: RssDynamics,
  front: RssDynamics,
): number | null {
  if (!isForward(rearMps) || !isForward(frontMps) || !isValidDynamics(rear) || !isValidDynamics(front))
    return null;
  const rearM = statedBrakingOffsetM(rearMps, rear, rear.brakeMinMps2);
  const frontM = (frontMps * frontMps) / (2 * front.brakeMaxMps2);
  return Math.max(0, rearM - frontM) + rear.minDistanceM;
}

/** Two cars towards each other; `correct` is in its own lane and need only brake comfortably. */
export function oppositeDirectionDistanceM(
  correctMps: number,
  oppositeMps: number,
  correct: RssDynamics,
  opposite: RssDynamics,
): number | null {
  if (!isForward(correctMps) || !isForward(oppositeMps)) return null;
  if (!isValidDynamics(correct) || !isValidDynamics(opposite)) return null;
  return (
    statedBrakingOffsetM(correctMps, correct, correct.brakeMinCorrectMps2) +
    statedBrakingOffsetM(oppositeMps, opposite, opposite.brakeMinMps2) +
    Math.max(correct.minDistanceM, opposite.minDistanceM)
  );
}

/** Speeds across the road, positive to the right: the left car may drift right and the right one left. */
export function lateralDistanceM(
  leftMps: number,
  rightMps: number,
  left: RssDynamics,
  right: RssDynamics,
): number | null {
  if (!isLateral(leftMps) || !isLateral(rightMps) || !isValidDynamics(left) || !isValidDynamics(right))
    return null;
  const leftM = lateralOffsetM(
    leftMps,
    left.responseTimeS,
    left.lateralAccelMaxMps2,
    left.lateralBrakeMinMps2,
  );
  // Mirrored: the right car's drift to the left is a drift to the right seen from behind the mirror.
  const rightM = -lateralOffsetM(
    -rightMps,
    right.responseTimeS,
    right.lateralAccelMaxMps2,
    right.lateralBrakeMinMps2,
  );
  const margin = 0.5 * (left.lateralFluctuationM + right.lateralFluctuationM);
  return Math.max(0, leftM - rightM + margin);
}

/** Distance needed to stop before a line. */
export function stopDistanceM(speedMps: number, dynamics: RssDynamics): number | null {
  if (!isForward(speedMps) || !isValidDynamics(dynamics)) return null;
  return statedBrakingOffsetM(speedMps, dynamics, dynamics.brakeMinMps2) + dynamics.minDistanceM;
}

/** Way of a car that accelerates during the response time, at most to its cap, and then brakes to a stop. */
function statedBrakingOffsetM(speedMps: number, dynamics: RssDynamics, brakeMps2: number): number {
  const { accelMaxMps2, responseTimeS, accelSpeedMaxMps } = dynamics;
  const cap = Math.max(accelSpeedMaxMps, speedMps);
  const endMps = Math.min(cap, Math.max(0, speedMps + accelMaxMps2 * responseTimeS));
  const accelS = accelMaxMps2 === 0 ? 0 : (endMps - speedMps) / accelMaxMps2;
  const responseM =
    speedMps * responseTimeS +
    0.5 * accelMaxMps2 * accelS * accelS +
    (endMps - speedMps) * (responseTimeS - accelS);
  return responseM + (endMps * endMps) / (2 * brakeMps2);
}

/** Drift to the right: accelerated to the right during the response time, then braked if still moving there. */
function lateralOffsetM(
  speedMps: number,
  responseTimeS: number,
  accelMps2: number,
  brakeMps2: number,
): number {
  const endMps = speedMps + accelMps2 * responseTimeS;
  const responseM = speedMps * responseTimeS + 0.5 * accelMps2 * responseTimeS * responseTimeS;
  return endMps > 0 ? responseM + (endMps * endMps) / (2 * brakeMps2) : responseM;
}

function isForward(speedMps: number): boolean {
  return speedMps >= 0 && speedMps <= speedLimitMps;
}

function isLateral(speedMps: number): boolean {
  return Math.abs(speedMps) <= speedLimitMps;
}

/** Ranges of the reference implementation; written so that NaN fails each of them. */
function isValidDynamics(dynamics: RssDynamics): boolean {
  const { brakeMaxMps2, brakeMinMps2, brakeMinCorrectMps2 } = dynamics;
  return (
    isWithin(dynamics.accelMaxMps2, 0, accelLimitMps2) &&
    brakeMinCorrectMps2 > 0 &&
    brakeMinMps2 >= brakeMinCorrectMps2 &&
    brakeMaxMps2 >= brakeMinMps2 &&
    brakeMaxMps2 <= accelLimitMps2 &&
    isWithin(dynamics.lateralAccelMaxMps2, 0, accelLimitMps2) &&
    dynamics.lateralBrakeMinMps2 > 0 &&
    dynamics.lateralBrakeMinMps2 <= accelLimitMps2 &&
    dynamics.responseTimeS > 0 &&
    dynamics.responseTimeS <= 10 &&
    isWithin(dynamics.lateralFluctuationM, 0, 1) &&
    isWithin(dynamics.accelSpeedMaxMps, 0, speedLimitMps) &&
    isWithin(dynamics.minDistanceM, 0, 1e9)
  );
}

function isWithin(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}
