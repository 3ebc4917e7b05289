/**
 * The RPC methods of a CARLA of one profile: parameters behind the metadata, and what stands inside the response. Client
 * and simulator use this one table, so that they cannot disagree.
 */
import type { CarlaProfile } from '../profile/profile.js';
import { actor, actorDefinition, actorDescription } from '../wire/actor.js';
import { bool, type Codec, list, str, struct, u8, u16, u32, u64 } from '../wire/codec.js';
import { type Command, commandCodec } from '../wire/command.js';
import {
  episodeInfo,
  mapInfo,
  mapInfoWithData,
  openDriveGenerationParameters,
  settingsCodec,
  wireToken,
} from '../wire/episode.js';
import { boundingBox, transform, vector3d } from '../wire/geometry.js';
import { commandResponse, type Outcome, response, voidResponse } from '../wire/response.js';
import { vehicleCondition } from '../wire/vehicle-condition.js';
import { vehicleAckermannControl, vehicleControl, walkerControl } from '../wire/vehicle-control.js';
import { olderVehiclePhysicsCodec, vehiclePhysics } from '../wire/vehicle-physics.js';
import { weatherParameters } from '../wire/weather.js';

export interface RpcMethod<P extends readonly unknown[], R> {
  readonly name: string;
  readonly params: { readonly [K in keyof P]: Codec<P[K]> };
  readonly result: Codec<Outcome<R>>;
}

function method<const P extends readonly unknown[], R>(
  name: string,
  params: { readonly [K in keyof P]: Codec<P[K]> },
  result: Codec<R>,
): RpcMethod<P, R> {
  return { name, params, result: response(result) };
}

function action<const P extends readonly unknown[]>(
  name: string,
  params: { readonly [K in keyof P]: Codec<P[K]> },
): RpcMethod<P, void> {
  return { name, params, result: voidResponse };
}

/** `apply_batch` alone answers without a Response around its list. */
function batch(
  profile: CarlaProfile,
): RpcMethod<readonly [readonly Command[], boolean], readonly Outcome<number>[]> {
  const results = list(commandResponse);
  return {
    name: 'apply_batch',
    params: [list(commandCodec(profile.commands)), bool],
    result: {
      name: results.name,
      absent: { ok: true, value: [] },
      write: (writer, outcome) => results.write(writer, outcome.ok ? outcome.value : []),
      read: (value, path) => ({ ok: true, value: results.read(value, path) }),
    },
  };
}

const lightState = struct('pair<id, VehicleLightState>', { id: u32, lights: u32 });
const idAndFlag = [u32, bool] as const;

export function carlaMethods(profile: CarlaProfile) {
  const settings = settingsCodec(profile.settingsFields);
  const weather = weatherParameters(profile.weatherFields);
  const physics = profile.hasTyreStiffness
    ? vehiclePhysics
    : olderVehiclePhysicsCodec(profile.hasSweepCollision);
  const velocity = profile.hasTargetVelocity ? 'target_velocity' : 'velocity';
  const angularVelocity = profile.hasTargetVelocity ? 'target_angular_velocity' : 'angular_velocity';
  return {
    version: method('version', [], str),
    getEpisodeInfo: method('get_episode_info', [], episodeInfo),
    getMapInfo: method('get_map_info', [], mapInfo),
    getMapInfoWithData: method('get_map_info', [], mapInfoWithData),
    getMapData: method('get_map_data', [], str),
    getAvailableMaps: method('get_available_maps', [], list(str)),
    loadEpisode: action('load_new_episode', [str, bool, u16]),
    loadEpisodeByName: action('load_new_episode', [str]),
    copyOpenDrive: action('copy_opendrive_to_file', [str, openDriveGenerationParameters]),
    copyOpenDriveText: action('copy_opendrive_to_file', [str]),
    getEpisodeSettings: method('get_episode_settings', [], settings),
    setEpisodeSettings: method('set_episode_settings', [settings], u64),
    tickCue: method('tick_cue', [], u64),
    getWeather: method('get_weather_parameters', [], weather),
    setWeather: action('set_weather_parameters', [weather]),
    getActorDefinitions: method('get_actor_definitions', [], list(actorDefinition)),
    getActorsById: method('get_actors_by_id', [list(u32)], list(actor)),
    getSpectator: method('get_spectator', [], actor),
    spawnActor: method('spawn_actor', [actorDescription, transform], actor),
    spawnActorWithParent: method('spawn_actor_with_parent', [actorDescription, transform, u32, u8], actor),
    spawnActorAtSocket: method('spawn_actor_with_parent', [actorDescription, transform, u32, u8, str], actor),
    destroyActor: method('destroy_actor', [u32], bool),
    destroyActorSilently: action('destroy_actor', [u32]),
    applyControl: action('apply_control_to_vehicle', [u32, vehicleControl]),
    applyAckermann: action('apply_ackermann_control_to_vehicle', [u32, vehicleAckermannControl]),
    applyWalkerControl: action('apply_control_to_walker', [u32, walkerControl]),
    setActorTransform: action('set_actor_transform', [u32, transform]),
    setActorLocation: action('set_actor_location', [u32, vector3d]),
    setActorVelocity: action(`set_actor_${velocity}`, [u32, vector3d]),
    setActorAngularVelocity: action(`set_actor_${angularVelocity}`, [u32, vector3d]),
    enableConstantVelocity: action('enable_actor_constant_velocity', [u32, vector3d]),
    disableConstantVelocity: action('disable_actor_constant_velocity', [u32]),
    setSimulatePhysics: action('set_actor_simulate_physics', idAndFlag),
    setEnableGravity: action('set_actor_enable_gravity', idAndFlag),
    setAutopilot: action('set_actor_autopilot', idAndFlag),
    getPhysics: method('get_physics_control', [u32], physics as typeof vehiclePhysics),
    applyPhysics: action('apply_physics_control', [u32, physics as typeof vehiclePhysics]),
    setTrafficLightState: action('set_traffic_light_state', [u32, u8]),
    freezeTrafficLight: action('freeze_traffic_light', idAndFlag),
    freezeAllTrafficLights: action('freeze_all_traffic_lights', [bool]),
    getVehicleLightStates: method('get_vehicle_light_states', [], list(lightState)),
    setVehicleLightState: action('set_vehicle_light_state', [u32, u32]),
    getSensorToken: method('get_sensor_token', [u32], wireToken),
    getBoundingBox: method('get_actor_bounding_box', [u32], boundingBox),
    applyBatch: batch(profile),
    /** of this project's simulator alone */
    getVehicleCondition: method('drivemcp_get_vehicle_condition', [u32], vehicleCondition),
    isTrafficManagerRunning: method('is_traffic_manager_running', [u16], bool),
  };
}

export type CarlaMethods = ReturnType<typeof carlaMethods>;
