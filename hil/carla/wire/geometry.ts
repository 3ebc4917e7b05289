/** CARLA's geometry: left-handed, x forward, y right, z up, metres; angles in degrees, yaw clockwise seen from above. */
import { float, struct, type ValueOf } from './codec.js';

export const vector3d = struct('Vector3D', { x: float, y: float, z: float });
export type Vector3d = ValueOf<typeof vector3d>;

export const vector2d = struct('Vector2D', { x: float, y: float });

export const rotation = struct('Rotation', { pitchDeg: float, yawDeg: float, rollDeg: float });
export type Rotation = ValueOf<typeof rotation>;

export const transform = struct('Transform', { location: vector3d, rotation });
export type Transform = ValueOf<typeof transform>;

/** Half sizes around `location`, in the actor's frame. 0.9.8 has no rotation; 0.9.16 adds an id that may be garbage. */
export const boundingBox = struct('BoundingBox', { location: vector3d, extent: vector3d, rotation });
export type BoundingBox = ValueOf<typeof boundingBox>;

export const zero: Vector3d = { x: 0, y: 0, z: 0 };
export const noRotation: Rotation = { pitchDeg: 0, yawDeg: 0, rollDeg: 0 };
