import type { SensorPose } from '../world/sensor-pose.js';
import { toPose } from './carla-axes.js';
import type { SensorMoment } from './sensor-actor.js';

const radians = Math.PI / 180;

/** OpenDRIVE's axes; pitch and roll keep their signs. */
export function sensorPose({ transform }: SensorMoment): SensorPose {
  const { pitchDeg, rollDeg } = transform.rotation;
  return { ...toPose(transform), pitchRad: pitchDeg * radians, rollRad: rollDeg * radians };
}
