import { bin, bool, list, str, struct, u8, u32, type ValueOf } from './codec.js';
import { boundingBox } from './geometry.js';

/**
 * `type` counts from 0 (Bool, Int, Float, String, RGBColor) up to 0.9.15 and from 1 in 0.9.16: what a definition
 * says is sent back as it came.
 */
export const actorAttributeValue = struct('ActorAttributeValue', { id: str, type: u8, value: str });
export type ActorAttributeValue = ValueOf<typeof actorAttributeValue>;

export const actorAttribute = struct('ActorAttribute', {
  id: str,
  type: u8,
  value: str,
  recommendedValues: list(str),
  isModifiable: bool,
  restrictToRecommended: bool,
});

export const actorDefinition = struct('ActorDefinition', {
  uid: u32,
  id: str,
  tags: str,
  attributes: list(actorAttribute),
});
export type ActorDefinition = ValueOf<typeof actorDefinition>;

export const actorDescription = struct('ActorDescription', {
  uid: u32,
  id: str,
  attributes: list(actorAttributeValue),
});
export type ActorDescription = ValueOf<typeof actorDescription>;

/** `parentId` 0 = none; `streamToken` has 24 bytes for sensors and none for others. */
export const actor = struct('Actor', {
  id: u32,
  parentId: u32,
  description: actorDescription,
  boundingBox,
  semanticTags: bin,
  streamToken: bin,
});
export type Actor = ValueOf<typeof actor>;
