import { contextPaths, healthSignals } from '../../../daemon/core/safety/health/health-signals.js';
import {
  absEngagedPath,
  acceleratorPath,
  brakePedalPath,
  brakePedalPressedPath,
  escEngagedPath,
  gearPath,
  longitudinalAccelerationPath,
  speedPath,
  steeringAnglePath,
  tcsEngagedPath,
  wheelBranches,
} from '../../../daemon/core/world/signal-paths.js';

export const signalGroups = ['longitudinal', 'lateral', 'health'] as const;
export type SignalGroup = (typeof signalGroups)[number];

/** What a group is made of, under COVESA VSS paths. */
export const pathsOfGroup: Readonly<Record<SignalGroup, readonly string[]>> = {
  longitudinal: [
    speedPath,
    longitudinalAccelerationPath,
    brakePedalPressedPath,
    brakePedalPath,
    acceleratorPath,
    'Vehicle.Chassis.ParkingBrake.IsEngaged',
    gearPath,
    absEngagedPath,
    tcsEngagedPath,
    ...wheelBranches.map((wheel) => `${wheel}.Speed`),
  ],
  lateral: [
    steeringAnglePath,
    'Vehicle.AngularVelocity.Yaw',
    'Vehicle.Acceleration.Lateral',
    'Vehicle.AngularVelocity.Roll',
    escEngagedPath,
  ],
  health: [...healthSignals.keys(), contextPaths.engineRpm],
};
