/** The world observer's message of one step. */

import type { CarlaProfile } from '../../carla/profile/profile.js';
import type { ActorDynamicState, EpisodeState, TypeState } from '../../carla/stream/episode-state.js';
import { writeTypeState } from '../../carla/stream/type-state.js';
import type { Transform } from '../../carla/wire/geometry.js';
import { zero } from '../../carla/wire/geometry.js';
import type { WorldActor } from '../world/actor.js';
import type { SimWorld } from '../world/sim-world.js';
import { typeLimitMps } from '../world/traffic.js';
import { lightTimes } from '../world/traffic-lights.js';
import { accelerationOf, toTransform, velocityOf } from './carla-axes.js';

const active = 1;

export function observe(
  world: SimWorld,
  sensors: Iterable<{ readonly id: number; readonly transform: Transform }>,
  profile: CarlaProfile,
  episodeId: bigint,
  deltaS: number,
): EpisodeState {
  const actors: ActorDynamicState[] = [];
  for (const actor of world.actors.values()) {
    actors.push({
      id: actor.id,
      actorState: active,
      transform: toTransform(actor.pose),
      velocityMps: velocityOf(actor),
      angularVelocityDegps: { x: 0, y: 0, z: (-actor.yawRateRadps * 180) / Math.PI },
      accelerationMps2: accelerationOf(actor),
      typeBytes: writeTypeState(typeState(actor), profile.layout.hasSignId),
    });
  }
  for (const { id, transform } of sensors)
    actors.push({
      id,
      actorState: active,
      transform,
      velocityMps: zero,
      angularVelocityDegps: zero,
      accelerationMps2: zero,
      typeBytes: writeTypeState({ kind: 'other' }, profile.layout.hasSignId),
    });
  // Actors in the order of their numbers: what a map of them by id would give, and the same in every run.
  actors.sort((one, other) => one.id - other.id);
  return { episodeId, platformTimestampS: world.tS, deltaS, simulationState: 0, actors };
}

function typeState(actor: WorldActor): TypeState {
  switch (actor.kind) {
    case 'vehicle':
      return {
        kind: 'vehicle',
        control: actor.control,
        speedLimitKmh: (typeLimitMps(actor) ?? 0) * 3.6,
        trafficLightState: 2,
        hasTrafficLight: false,
        trafficLightId: 0,
        failureState: 0,
      };
    case 'walker':
      return {
        kind: 'walker',
        control: {
          direction: { x: actor.direction.x, y: -actor.direction.y, z: 0 },
          speedMps: actor.vMps,
          jump: false,
        },
      };
    case 'traffic-light':
      return {
        kind: 'traffic-light',
        signId: actor.signalId,
        greenS: lightTimes.greenS,
        yellowS: lightTimes.yellowS,
        redS: lightTimes.allRedS,
        elapsedS: actor.elapsedS,
        poleIndex: 0,
        isFrozen: actor.isFrozen,
        state: actor.state,
      };
    case 'traffic-sign':
      return { kind: 'traffic-sign', signId: actor.signalId };
  }
}
