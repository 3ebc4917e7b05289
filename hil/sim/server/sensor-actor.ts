import type { CarlaProfile } from '../../carla/profile/profile.js';
import type { ActorDescription } from '../../carla/wire/actor.js';
import type { Transform } from '../../carla/wire/geometry.js';
import type { WorldActor } from '../world/actor.js';
import type { SimWorld } from '../world/sim-world.js';

/** A sensor as a client spawned it. */
export interface SensorActor {
  readonly id: number;
  readonly parentId: number;
  readonly description: ActorDescription;
  /** to the parent, or in the world where there is none */
  relative: Transform;
  readonly streamId: number;
  readonly token: Uint8Array;
  /** simulated seconds between two messages; 0: every step */
  readonly periodS: number;
  /** null: nothing was due yet */
  nextAtS: number | null;
}

export interface SensorMoment {
  readonly world: SimWorld;
  readonly sensor: SensorActor;
  /** of the sensor, CARLA's axes */
  readonly transform: Transform;
  readonly parent: WorldActor | null;
  readonly frame: number;
  readonly profile: CarlaProfile;
  attribute(id: string): number;
}

/** Makes the payload of one message; null: nothing to say in this step. */
export type SensorProducer = (moment: SensorMoment) => Buffer | null;

export function attributeOf({ description }: SensorActor, id: string): number {
  return Number(description.attributes.find((attribute) => attribute.id === id)?.value ?? Number.NaN);
}
