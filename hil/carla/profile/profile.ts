/**
 * What differs between CARLA's versions on the wire. RPC structs read leniently in both directions, so a profile only
 * holds what is strict: which methods there are and with how many parameters, the packed streams, the command indices,
 * and how many fields a struct is written with.
 */
import { type EpisodeLayout, episodeLayouts } from '../stream/episode-layout.js';
import { type CommandSet, commandSets } from '../wire/command.js';

export type SensorKind = 'collision' | 'gnss' | 'imu' | 'lidar' | 'camera' | 'world';

export interface CarlaProfile {
  readonly name: string;
  /** false: written from its sources, never run against such a server */
  readonly isChecked: boolean;
  readonly weatherFields: number;
  readonly settingsFields: number;
  /** the map's OpenDRIVE by a method of its own (since 0.9.12); before, it stands in the map's info */
  readonly hasMapData: boolean;
  /** get_sensor_token before every subscription (since 0.9.14) */
  readonly hasSensorToken: boolean;
  /** destroy_actor says whether it did (since 0.9.12) */
  readonly destroySaysWhether: boolean;
  /** load_new_episode with reset_settings and map layers (since 0.9.11) */
  readonly loadsLayers: boolean;
  /** set_actor_target_velocity; before 0.9.10 it was called set_actor_velocity */
  readonly hasTargetVelocity: boolean;
  readonly hasLightStates: boolean;
  readonly hasAckermann: boolean;
  /** wheels with three values of tyre stiffness (since 0.9.12) */
  readonly hasTyreStiffness: boolean;
  /** the last field of a vehicle's physics (since 0.9.11) */
  readonly hasSweepCollision: boolean;
  /** spawn_actor_with_parent takes a socket's name (0.9.16) */
  readonly hasSocketName: boolean;
  /** first number of ActorAttributeType */
  readonly firstAttributeType: 0 | 1;
  readonly lidarFloats: 3 | 4;
  readonly layout: EpisodeLayout;
  readonly commands: CommandSet;
  /** written into stream headers by a server; a client never looks at it */
  readonly sensorIndex: Readonly<Record<SensorKind, number>>;
}

const v0914: CarlaProfile = {
  name: '0.9.14',
  isChecked: false,
  weatherFields: 14,
  settingsFields: 10,
  hasMapData: true,
  hasSensorToken: true,
  destroySaysWhether: true,
  loadsLayers: true,
  hasTargetVelocity: true,
  hasLightStates: true,
  hasAckermann: true,
  hasTyreStiffness: true,
  hasSweepCollision: true,
  hasSocketName: false,
  firstAttributeType: 0,
  lidarFloats: 4,
  layout: episodeLayouts['0.9.12'],
  commands: commandSets['0.9.14'],
  sensorIndex: { collision: 0, gnss: 4, imu: 5, lidar: 11, camera: 13, world: 16 },
};

const v0913: CarlaProfile = {
  ...v0914,
  name: '0.9.13',
  weatherFields: 13,
  hasSensorToken: false,
  hasAckermann: false,
  commands: commandSets['0.9.12'],
  sensorIndex: { collision: 0, gnss: 3, imu: 4, lidar: 10, camera: 12, world: 15 },
};

const v0910: CarlaProfile = {
  ...v0913,
  name: '0.9.10',
  weatherFields: 10,
  settingsFields: 3,
  hasMapData: false,
  destroySaysWhether: false,
  loadsLayers: false,
  hasTyreStiffness: false,
  hasSweepCollision: false,
  layout: episodeLayouts['0.9.10'],
  commands: commandSets['0.9.10'],
  sensorIndex: { collision: 0, gnss: 3, imu: 4, lidar: 9, camera: 11, world: 13 },
};

const v0915: CarlaProfile = { ...v0914, name: '0.9.15', settingsFields: 11 };

/** Every profile by the version it is of; what differs is in `carla.org`'s release sources of that version. */
export const carlaProfiles = {
  '0.9.8': {
    ...v0910,
    name: '0.9.8',
    weatherFields: 9,
    hasTargetVelocity: false,
    hasLightStates: false,
    lidarFloats: 3,
    layout: episodeLayouts['0.9.8'],
    commands: commandSets['0.9.8'],
    sensorIndex: { collision: 0, gnss: 2, imu: 3, lidar: 7, camera: 9, world: 11 },
  },
  '0.9.10': v0910,
  '0.9.11': {
    ...v0910,
    name: '0.9.11',
    settingsFields: 8,
    loadsLayers: true,
    hasSweepCollision: true,
    commands: commandSets['0.9.11'],
  },
  '0.9.12': { ...v0913, name: '0.9.12', sensorIndex: { ...v0913.sensorIndex, world: 14 } },
  '0.9.13': v0913,
  '0.9.14': v0914,
  '0.9.15': v0915,
  '0.9.16': {
    ...v0915,
    name: '0.9.16',
    hasSocketName: true,
    firstAttributeType: 1,
    commands: commandSets['0.9.16'],
  },
  'ue4-dev': {
    ...v0915,
    name: 'ue4-dev',
    hasSocketName: true,
    firstAttributeType: 1,
    layout: episodeLayouts['ue4-dev'],
    commands: commandSets['0.9.16'],
    sensorIndex: { ...v0915.sensorIndex, world: 17 },
  },
  '0.10': { ...v0915, name: '0.10' },
} as const satisfies Record<string, CarlaProfile>;

export type CarlaProfileName = keyof typeof carlaProfiles;

export const carlaProfileNames = Object.keys(carlaProfiles) as CarlaProfileName[];
