/**
 * How hard a vehicle of a server brakes at which pedal: from 15 m/s on a straight road, one stop for each position. Needed
 * because a pedal means something else for every blueprint and version. Owner of the ticks only.
 */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { motionOf } from '../drive/ego-motion.js';
import { noControl } from '../wire/vehicle-control.js';
import type { CarlaSession } from './carla-session.js';

export interface BrakePoint {
  readonly pedal: number;
  /** mean from 90 % to 20 % of the speed, positive */
  readonly decelMps2: number;
}

const pedals = [0.2, 0.4, 0.6, 0.8, 1] as const;
const fromMps = 15;
const longestSteps = 400;

/** Throws CALIBRATION_FAILED where the vehicle does not slow down; `told` gets each point. */
export async function calibrateBrakes(
  session: CarlaSession,
  vehicleId: number,
  told: (point: BrakePoint) => void,
): Promise<readonly BrakePoint[]> {
  const points: BrakePoint[] = [];
  const home = (await session.step()).actors.find(({ id }) => id === vehicleId)?.transform;
  if (home === undefined) throw new DriveMcpError('CALIBRATION_FAILED', `no vehicle ${vehicleId}`);
  for (const pedal of pedals) {
    await session.rpc.call(session.methods.setActorTransform, vehicleId, home);
    const yaw = (home.rotation.yawDeg * Math.PI) / 180;
    await session.control(vehicleId, noControl);
    await session.rpc.call(session.methods.setActorVelocity, vehicleId, {
      x: fromMps * Math.cos(yaw),
      y: fromMps * Math.sin(yaw),
      z: 0,
    });
    await session.step();
    await session.control(vehicleId, { ...noControl, brake: pedal });
    const point = { pedal, decelMps2: await stop(session, vehicleId, pedal) };
    points.push(point);
    told(point);
  }
  return points;
}

async function stop(session: CarlaSession, vehicleId: number, pedal: number): Promise<number> {
  let begun: { readonly tS: number; readonly vMps: number } | null = null;
  for (let step = 0; step < longestSteps; step++) {
    const state = await session.step();
    const own = state.actors.find(({ id }) => id === vehicleId);
    if (own === undefined) break;
    const { vMps } = motionOf(own);
    if (begun === null && vMps < 0.9 * fromMps) begun = { tS: state.timestampS, vMps };
    if (begun !== null && vMps < 0.2 * fromMps) return (begun.vMps - vMps) / (state.timestampS - begun.tS);
  }
  throw new DriveMcpError(
    'CALIBRATION_FAILED',
    `pedal ${pedal}: not slowed down within ${longestSteps} steps`,
  );
}
