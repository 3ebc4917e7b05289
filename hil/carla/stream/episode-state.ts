/** The world observer's message: one header and the dynamic state of every actor. */
import type { Transform, Vector3d } from '../wire/geometry.js';
import type { VehicleControl, WalkerControl } from '../wire/vehicle-control.js';
import { wireError } from '../wire/wire-error.js';
import type { EpisodeLayout } from './episode-layout.js';
import {
  readPackedTransform,
  readPackedVector,
  writePackedTransform,
  writePackedVector,
} from './packed-transform.js';

export interface EpisodeState {
  readonly episodeId: bigint;
  readonly platformTimestampS: number;
  readonly deltaS: number;
  /** bit 0: the map is changing; bit 1: a light update is pending */
  readonly simulationState: number;
  readonly actors: readonly ActorDynamicState[];
}

export interface VehicleState {
  readonly kind: 'vehicle';
  readonly control: VehicleControl;
  /** of the simulator's own AI: truth, for metrics only */
  readonly speedLimitKmh: number;
  readonly trafficLightState: number;
  readonly hasTrafficLight: boolean;
  readonly trafficLightId: number;
  readonly failureState: number;
}

export interface TrafficLightState {
  readonly kind: 'traffic-light';
  readonly signId: string;
  readonly greenS: number;
  readonly yellowS: number;
  readonly redS: number;
  readonly elapsedS: number;
  readonly poleIndex: number;
  readonly isFrozen: boolean;
  readonly state: number;
}

export type TypeState =
  | VehicleState
  | TrafficLightState
  | { readonly kind: 'traffic-sign'; readonly signId: string }
  | { readonly kind: 'walker'; readonly control: WalkerControl }
  | { readonly kind: 'other' };

export interface ActorDynamicState {
  readonly id: number;
  /** 0 invalid, 1 active, 2 dormant, 3 pending kill */
  readonly actorState: number;
  readonly transform: Transform;
  readonly velocityMps: Vector3d;
  readonly angularVelocityDegps: Vector3d;
  readonly accelerationMps2: Vector3d;
  /** the union of the type, raw: what it means follows from the actor's description */
  readonly typeBytes: Buffer;
}

const unionBytes = { withSign: 54, without: 29 } as const;

/** Reads a payload (behind the sensor header); throws CARLA_WIRE where its length does not fit the layout. */
export function readEpisodeState(payload: Buffer, layout: EpisodeLayout): EpisodeState {
  const { headerBytes, strideBytes } = layout;
  if (payload.length < headerBytes || (payload.length - headerBytes) % strideBytes !== 0)
    throw wireError(
      'EpisodeState',
      `${payload.length} bytes fit no header of ${headerBytes} and actors of ${strideBytes}`,
    );
  const actors: ActorDynamicState[] = [];
  for (let at = headerBytes; at < payload.length; at += strideBytes)
    actors.push(readActor(payload.subarray(at, at + strideBytes), layout));
  return {
    episodeId: payload.readBigUInt64LE(0),
    platformTimestampS: payload.readDoubleLE(8),
    deltaS: payload.readFloatLE(16),
    simulationState: layout.simulationStateAt === null ? 0 : payload.readUInt32LE(layout.simulationStateAt),
    actors,
  };
}

function readActor(bytes: Buffer, layout: EpisodeLayout): ActorDynamicState {
  const union = layout.hasSignId ? unionBytes.withSign : unionBytes.without;
  return {
    id: bytes.readUInt32LE(0),
    actorState: layout.actorStateAt === null ? 1 : (bytes[layout.actorStateAt] as number),
    transform: readPackedTransform(bytes, layout.transformAt),
    velocityMps: readPackedVector(bytes, layout.velocityAt),
    angularVelocityDegps: readPackedVector(bytes, layout.angularVelocityAt),
    accelerationMps2: readPackedVector(bytes, layout.accelerationAt),
    typeBytes: bytes.subarray(layout.stateAt, layout.stateAt + union),
  };
}

export function writeEpisodeState(state: EpisodeState, layout: EpisodeLayout): Buffer {
  const bytes = Buffer.alloc(layout.headerBytes + state.actors.length * layout.strideBytes);
  bytes.writeBigUInt64LE(state.episodeId, 0);
  bytes.writeDoubleLE(state.platformTimestampS, 8);
  bytes.writeFloatLE(state.deltaS, 16);
  if (layout.simulationStateAt !== null) bytes.writeUInt32LE(state.simulationState, layout.simulationStateAt);
  for (const [i, actor] of state.actors.entries()) {
    const at = layout.headerBytes + i * layout.strideBytes;
    writeActorState(bytes.subarray(at, at + layout.strideBytes), actor, layout);
  }
  return bytes;
}

/** `bytes` is one stride, zeroed; a union that is longer than the layout's is cut. */
export function writeActorState(bytes: Buffer, actor: ActorDynamicState, layout: EpisodeLayout): void {
  bytes.writeUInt32LE(actor.id, 0);
  if (layout.actorStateAt !== null) bytes[layout.actorStateAt] = actor.actorState;
  writePackedTransform(bytes, layout.transformAt, actor.transform);
  writePackedVector(bytes, layout.velocityAt, actor.velocityMps);
  writePackedVector(bytes, layout.angularVelocityAt, actor.angularVelocityDegps);
  writePackedVector(bytes, layout.accelerationAt, actor.accelerationMps2);
  const union = layout.hasSignId ? unionBytes.withSign : unionBytes.without;
  bytes.set(actor.typeBytes.subarray(0, union), layout.stateAt);
}
