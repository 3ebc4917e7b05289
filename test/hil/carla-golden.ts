/** The values behind the named vectors of CARLA's own 0.9.15 serializers, written by our codecs. */
import { metadata, writeRequest } from '../../hil/carla/rpc/rpc-frame.js';
import { episodeLayouts } from '../../hil/carla/stream/episode-layout.js';
import { writeActorState } from '../../hil/carla/stream/episode-state.js';
import { collisionEvent, gnssMeasurement, imuMeasurement } from '../../hil/carla/stream/sensor-data.js';
import { sensorHeaderBytes, writeSensorHeader } from '../../hil/carla/stream/sensor-header.js';
import { tokenBytes, writeToken } from '../../hil/carla/stream/token.js';
import { writeTypeState } from '../../hil/carla/stream/type-state.js';
import {
  type Actor,
  actor,
  actorAttributeValue,
  actorDefinition,
  actorDescription,
} from '../../hil/carla/wire/actor.js';
import { encode, optional, str, u32, u64 } from '../../hil/carla/wire/codec.js';
import { type Command, commandCodec, commandSets } from '../../hil/carla/wire/command.js';
import {
  defaultEpisodeSettings,
  defaultOpenDriveGeneration,
  episodeInfo,
  episodeSettings,
  mapInfo,
  openDriveGenerationParameters,
  wireToken,
} from '../../hil/carla/wire/episode.js';
import {
  noRotation,
  rotation,
  type Transform,
  transform,
  vector2d,
  vector3d,
  zero,
} from '../../hil/carla/wire/geometry.js';
import { commandResponse, response, voidResponse } from '../../hil/carla/wire/response.js';
import {
  vehicleAckermannControl,
  vehicleControl,
  walkerControl,
} from '../../hil/carla/wire/vehicle-control.js';
import { clearWeather, weatherParameters } from '../../hil/carla/wire/weather.js';

const place: Transform = {
  location: { x: 1.5, y: -2.25, z: 3 },
  rotation: { pitchDeg: 4, yawDeg: 90, rollDeg: -6 },
};
const control = {
  throttle: 0.5,
  steer: -0.25,
  brake: 0,
  handBrake: false,
  reverse: true,
  manualGearShift: false,
  gear: 3,
};
const role = { id: 'role_name', type: 3, value: 'hero' };
const description = { uid: 9, id: 'vehicle.x.y', attributes: [role] };
const car: Actor = {
  id: 24,
  parentId: 0,
  description,
  boundingBox: { location: { x: 0, y: 0, z: 0.7 }, extent: { x: 2.4, y: 1, z: 0.75 }, rotation: noRotation },
  semanticTags: Uint8Array.of(10),
  streamToken: new Uint8Array(0),
};
const withStream: Actor = { ...car, streamToken: new Uint8Array(24).fill(0xab) };
const token = Uint8Array.from({ length: 24 }, (_, i) => i);
const boom = { ok: false, error: 'boom' } as const;
const fallback = { ok: false, error: 'unknown error' } as const;
const commands = commandCodec(commandSets['0.9.14']);
const command = (value: Command): Buffer => encode(commands, value);
const spawn = (parentId: number | null): Buffer =>
  command({ kind: 'spawn', fields: { description, transform: place, parentId, doAfter: [] } });

function vehicleStride(): Buffer {
  const layout = episodeLayouts['0.9.12'];
  const bytes = Buffer.alloc(layout.strideBytes);
  const typeBytes = writeTypeState(
    {
      kind: 'vehicle',
      control,
      speedLimitKmh: 50,
      trafficLightState: 2,
      hasTrafficLight: true,
      trafficLightId: 77,
      failureState: 0,
    },
    true,
  );
  writeActorState(
    bytes,
    {
      id: 24,
      actorState: 1,
      transform: place,
      velocityMps: { x: 8, y: 0.5, z: 0 },
      angularVelocityDegps: { x: 0, y: 0, z: 2 },
      accelerationMps2: { x: -1, y: 0, z: 0 },
      typeBytes,
    },
    layout,
  );
  return bytes;
}

/** Bytes by name; the sizes of the vector file are checked by {@link goldenSizes}. */
export const goldenBytes: Readonly<Record<string, () => Buffer>> = {
  'Metadata.sync': () => encode(metadata, { isAsync: false }),
  'Metadata.async': () => encode(metadata, { isAsync: true }),
  'rpc.request.version(id=0)': () => writeRequest(0, 'version', []),
  'Location(1.5,-2.25,3)': () => encode(vector3d, place.location),
  'Rotation(pitch4,yaw90,roll-6)': () => encode(rotation, place.rotation),
  Transform: () => encode(transform, place),
  'Vector2D(1,2)': () => encode(vector2d, { x: 1, y: 2 }),
  'Response<void>.success': () => encode(voidResponse, { ok: true, value: undefined }),
  'Response<void>.error(boom)': () => encode(voidResponse, boom),
  'Response<void>.default': () => encode(voidResponse, fallback),
  'Response<uint64>.value(7)': () => encode(response(u64), { ok: true, value: 7n }),
  'Response<uint64>.error(boom)': () => encode(response(u64), boom),
  'Response<uint64>.default': () => encode(response(u64), fallback),
  'Response<string>(0.9.x)': () => encode(response(str), { ok: true, value: '0.9.x' }),
  'VehicleControl(.5,-.25,0,false,true,false,3)': () => encode(vehicleControl, control),
  'WalkerControl([1,0,0],1.4,false)': () =>
    encode(walkerControl, { direction: { x: 1, y: 0, z: 0 }, speedMps: 1.4, jump: false }),
  'WeatherParameters.default': () => encode(weatherParameters(14), clearWeather),
  'EpisodeSettings.default': () => encode(episodeSettings, defaultEpisodeSettings),
  'EpisodeSettings(sync,dt=.05)': () =>
    encode(episodeSettings, { ...defaultEpisodeSettings, synchronousMode: true, fixedDeltaS: 0.05 }),
  'EpisodeInfo(42,token00..17)': () => encode(episodeInfo, { id: 42n, token: { data: token } }),
  'MapInfo(Town01,1sp)': () => encode(mapInfo, { name: 'Carla/Maps/Town01', spawnPoints: [place] }),
  'ActorAttributeValue(role_name,String,hero)': () => encode(actorAttributeValue, role),
  ActorDefinition: () =>
    encode(actorDefinition, {
      uid: 9,
      id: 'vehicle.x.y',
      tags: 'vehicle,x,y',
      attributes: [
        {
          id: 'color',
          type: 4,
          value: '1,2,3',
          recommendedValues: ['1,2,3', '4,5,6'],
          isModifiable: true,
          restrictToRecommended: false,
        },
      ],
    }),
  ActorDescription: () => encode(actorDescription, description),
  'Actor(no stream)': () => encode(actor, car),
  'Actor(stream)': () => encode(actor, withStream),
  'optional.none': () => encode(optional(u32), null),
  'optional(5)': () => encode(optional(u32), 5),
  'Command.ApplyVehicleControl': () => command({ kind: 'control', fields: { id: 24, control } }),
  'Command.DestroyActor': () => command({ kind: 'destroy', fields: { id: 24 } }),
  'Command.ApplyTransform': () => command({ kind: 'transform', fields: { id: 24, transform: place } }),
  'Command.SpawnActor(no parent)': () => spawn(null),
  'Command.SpawnActor(parent 7)': () => spawn(7),
  'Command.SetAutopilot': () => command({ kind: 'autopilot', fields: { id: 24, isEnabled: true } }),
  'CommandResponse(24)': () => encode(commandResponse, { ok: true, value: 24 }),
  'CommandResponse.error': () => encode(commandResponse, boom),
  'VehicleAckermannControl(.1,0,10,1,0)': () =>
    encode(vehicleAckermannControl, {
      steerRad: 0.1,
      steerSpeedRadps: 0,
      speedMps: 10,
      accelerationMps2: 1,
      jerkMps3: 0,
    }),
  'OpendriveGenerationParameters.default': () =>
    encode(openDriveGenerationParameters, defaultOpenDriveGeneration),
  'ActorDynamicState(vehicle 24)': vehicleStride,
  'SensorHeader(16,12345,6.25,T)': () =>
    writeSensorHeader({ sensorIndex: 16, frame: 12345, timestampS: 6.25, transform: place }),
  'token_data(stream 3, port 2001, tcp, no address)': () =>
    writeToken({ streamId: 3, port: 2001, address: null }),
  'token_data(stream 3, port 2001, tcp, 127.0.0.1)': () =>
    writeToken({ streamId: 3, port: 2001, address: '127.0.0.1' }),
  'Token(00..17)': () => encode(wireToken, { data: token }),
  'CollisionEvent.payload': () =>
    encode(collisionEvent, { self: withStream, other: withStream, impulseNs: { x: 1, y: 2, z: 3 } }),
  'Gnss.payload': () => encode(gnssMeasurement, { latDeg: 49.5, lonDeg: 8.25, altM: 110 }),
  'Imu.payload': () =>
    encode(imuMeasurement, {
      accelerationMps2: { x: 0, y: 0, z: 9.81 },
      gyroRadps: { ...zero, x: 0.1 },
      compassRad: 1.5,
    }),
};

const { mapOriginAt, simulationStateAt, ...layout } = episodeLayouts['0.9.12'];

/** Sizes and offsets of packed structs, as this code uses them. */
export const goldenSizes: Readonly<Record<string, number | null>> = {
  'sizeof Token.data': tokenBytes,
  'sizeof SensorHeader': sensorHeaderBytes,
  'sizeof EpisodeState.Header': layout.headerBytes,
  'sizeof ActorDynamicState': layout.strideBytes,
  'offsetof ActorDynamicState.transform': layout.transformAt,
  'offsetof ActorDynamicState.velocity': layout.velocityAt,
  'offsetof ActorDynamicState.angular_velocity': layout.angularVelocityAt,
  'offsetof ActorDynamicState.acceleration': layout.accelerationAt,
  'offsetof ActorDynamicState.state': layout.stateAt,
  'offsetof EpisodeHeader.map_origin': mapOriginAt,
  'offsetof EpisodeHeader.simulation_state': simulationStateAt,
};
