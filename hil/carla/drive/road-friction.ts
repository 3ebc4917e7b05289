/**
 * Rain does not change grip in CARLA (carla#655, #6420). So the ego's tyre friction is scaled by what the plant's own
 * function says of the weather: factor μ/0.85, read back. One vehicle only: friction triggers of the world leak to all.
 */
import { plantMu } from '../../sim/weather.js';
import { plantWeather } from '../../sim/world/world-weather.js';
import type { CarlaSession } from '../session/carla-session.js';
import { scaleFriction } from '../wire/vehicle-physics.js';

const dryMu = 0.85;
const ordinaryC = 15;

/** Scales the friction for the present weather; returns what was done, for the report. */
export async function applyRoadFriction(session: CarlaSession, vehicleId: number): Promise<string> {
  const { rpc, methods, probe } = session;
  if (probe.base === '0.10')
    return 'tyre friction is left alone: the physics of the UE5 line are built otherwise';
  const weather = await session.weather();
  const factor = plantMu(plantWeather(weather, ordinaryC), 0) / dryMu;
  const before = await rpc.call(methods.getPhysics, vehicleId);
  await rpc.call(methods.applyPhysics, vehicleId, scaleFriction(before, factor));
  const after = (await rpc.call(methods.getPhysics, vehicleId)).wheels[0]?.tireFriction ?? Number.NaN;
  const wanted = (before.wheels[0]?.tireFriction ?? 0) * factor;
  const isTaken = Math.abs(after - wanted) < 1e-3 * Math.max(1, wanted);
  return isTaken
    ? `tyre friction × ${factor.toFixed(2)} for this weather (${after.toFixed(2)})`
    : `tyre friction asked × ${factor.toFixed(2)}, but the server says ${after.toFixed(2)}: grip does not follow the weather`;
}
