/** The world's actors and blueprints as CARLA's RPC gives them. */
import type { CarlaProfile } from '../../carla/profile/profile.js';
import type { Actor, ActorDefinition, ActorDescription } from '../../carla/wire/actor.js';
import { noRotation, zero } from '../../carla/wire/geometry.js';
import type { WorldActor } from '../world/actor.js';
import { type AttributeSpec, type Blueprint, blueprintOf, blueprints } from '../world/blueprint.js';
import type { SensorActor } from './sensor-actor.js';

const typeOrder = ['bool', 'int', 'float', 'string', 'color'] as const;

function attributeType(profile: CarlaProfile, type: AttributeSpec['type']): number {
  return profile.firstAttributeType + typeOrder.indexOf(type);
}

export function definitions(profile: CarlaProfile): readonly ActorDefinition[] {
  return blueprints.map((blueprint, uid) => ({
    uid,
    id: blueprint.id,
    tags: blueprint.tags,
    attributes: blueprint.attributes.map(({ id, type, value, recommended }) => ({
      id,
      type: attributeType(profile, type),
      value,
      recommendedValues: recommended ?? [],
      isModifiable: id !== 'number_of_wheels',
      restrictToRecommended: false,
    })),
  }));
}

/** What a client asked for, with the blueprint's values where it said nothing. */
export function describe(
  profile: CarlaProfile,
  blueprint: Blueprint,
  asked: ReadonlyMap<string, string>,
): ActorDescription {
  return {
    uid: blueprints.indexOf(blueprint),
    id: blueprint.id,
    attributes: blueprint.attributes.map(({ id, type, value }) => ({
      id,
      type: attributeType(profile, type),
      value: asked.get(id) ?? value,
    })),
  };
}

/** Semantic labels were renumbered at 0.9.14; see CARLA's release notes. */
const labels = {
  old: { vehicle: 10, walker: 4, 'traffic-light': 18, 'traffic-sign': 12 },
  new: { vehicle: 14, walker: 12, 'traffic-light': 7, 'traffic-sign': 8 },
} as const;

export function worldActor(profile: CarlaProfile, actor: WorldActor, description: ActorDescription): Actor {
  const { lengthM, widthM, heightM } = actor.size;
  return {
    id: actor.id,
    parentId: 0,
    description,
    boundingBox: {
      location: { x: 0, y: 0, z: heightM / 2 },
      extent: { x: lengthM / 2, y: widthM / 2, z: heightM / 2 },
      rotation: noRotation,
    },
    semanticTags: Uint8Array.of((profile.hasSensorToken ? labels.new : labels.old)[actor.kind]),
    streamToken: new Uint8Array(0),
  };
}

export function sensorActor(sensor: SensorActor): Actor {
  return {
    id: sensor.id,
    parentId: sensor.parentId,
    description: sensor.description,
    boundingBox: { location: zero, extent: zero, rotation: noRotation },
    semanticTags: new Uint8Array(0),
    streamToken: sensor.token,
  };
}

/** Traffic signs, lights and scripted actors have a description too. */
export function descriptionOf(profile: CarlaProfile, actor: WorldActor): ActorDescription {
  const blueprint = blueprintOf(actor.typeId);
  if (blueprint !== undefined) return describe(profile, blueprint, new Map([['role_name', actor.roleName]]));
  return { uid: 0, id: actor.typeId, attributes: [] };
}
