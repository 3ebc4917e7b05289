/** What can be spawned: our own type ids, their sizes, and the attributes a CARLA client may set. */
import { passengerCar, type VehicleModel } from '../plant.js';
import type { BoxSize } from './actor.js';

export interface AttributeSpec {
  readonly id: string;
  /** by name: a number of the wire differs between versions */
  readonly type: 'bool' | 'int' | 'float' | 'string' | 'color';
  readonly value: string;
  readonly recommended?: readonly string[];
}

export interface Blueprint {
  readonly id: string;
  readonly tags: string;
  readonly size: BoxSize;
  /** of vehicles */
  readonly model?: VehicleModel;
  readonly attributes: readonly AttributeSpec[];
}

const roleName = (value: string): AttributeSpec => ({ id: 'role_name', type: 'string', value });
const tick: AttributeSpec = { id: 'sensor_tick', type: 'float', value: '0.0' };

function vehicle(name: string, size: BoxSize, model: VehicleModel, wheels: number): Blueprint {
  return {
    id: `vehicle.drivemcp.${name}`,
    tags: `vehicle,drivemcp,${name}`,
    size,
    model,
    attributes: [
      roleName('autopilot'),
      {
        id: 'color',
        type: 'color',
        value: '60,90,160',
        recommended: ['60,90,160', '180,40,30', '210,210,205', '40,40,45'],
      },
      { id: 'number_of_wheels', type: 'int', value: String(wheels) },
    ],
  };
}

/** CARLA's own pictures have 800 × 600. */
function camera(name: string, more: readonly AttributeSpec[]): Blueprint {
  return {
    id: `sensor.camera.${name}`,
    tags: `sensor,camera,${name}`,
    size: { lengthM: 0, widthM: 0, heightM: 0 },
    attributes: [
      roleName('front'),
      { id: 'image_size_x', type: 'int', value: '640' },
      { id: 'image_size_y', type: 'int', value: '360' },
      { id: 'fov', type: 'float', value: '90.0' },
      ...more,
      tick,
    ],
  };
}

/** A lorry of 12 t: slower, longer to stop, with less lateral grip to use. */
const lorry: VehicleModel = {
  ...passengerCar,
  wheelbaseM: 5.2,
  peakDriveMps2: 1.4,
  specificPowerM2ps3: 18,
  peakBrakeMps2: 7,
};

export const egoBlueprint = 'vehicle.drivemcp.estate';

export const blueprints: readonly Blueprint[] = [
  vehicle('estate', { lengthM: 4.7, widthM: 1.85, heightM: 1.48 }, passengerCar, 4),
  vehicle(
    'hatchback',
    { lengthM: 4.1, widthM: 1.78, heightM: 1.46 },
    { ...passengerCar, wheelbaseM: 2.6 },
    4,
  ),
  vehicle(
    'van',
    { lengthM: 5.9, widthM: 2.02, heightM: 2.6 },
    { ...passengerCar, wheelbaseM: 3.6, peakDriveMps2: 2.6 },
    4,
  ),
  vehicle('lorry', { lengthM: 8.6, widthM: 2.5, heightM: 3.6 }, lorry, 6),
  {
    id: 'walker.pedestrian.0001',
    tags: 'walker,pedestrian,0001',
    size: { lengthM: 0.4, widthM: 0.6, heightM: 1.75 },
    attributes: [roleName('pedestrian'), { id: 'is_invincible', type: 'bool', value: 'false' }],
  },
  camera('rgb', [{ id: 'motion_blur_intensity', type: 'float', value: '0.0' }]),
  camera('depth', []),
  camera('semantic_segmentation', []),
  {
    id: 'sensor.lidar.ray_cast',
    tags: 'sensor,lidar,ray_cast',
    size: { lengthM: 0, widthM: 0, heightM: 0 },
    attributes: [
      roleName('front'),
      { id: 'channels', type: 'int', value: '16' },
      { id: 'range', type: 'float', value: '80.0' },
      { id: 'points_per_second', type: 'int', value: '56000' },
      { id: 'rotation_frequency', type: 'float', value: '10.0' },
      { id: 'upper_fov', type: 'float', value: '10.0' },
      { id: 'lower_fov', type: 'float', value: '-20.0' },
      { id: 'horizontal_fov', type: 'float', value: '360.0' },
      tick,
    ],
  },
  ...['collision', 'gnss', 'imu'].map((name) => ({
    id: `sensor.other.${name}`,
    tags: `sensor,other,${name}`,
    size: { lengthM: 0, widthM: 0, heightM: 0 },
    attributes: [roleName('front'), tick],
  })),
];

export function blueprintOf(typeId: string): Blueprint | undefined {
  return blueprints.find(({ id }) => id === typeId);
}
