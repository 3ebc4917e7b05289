/**
 * Where the fields of the world observer's message are, by version (LibCarla sensor/s11n/EpisodeStateSerializer.h,
 * sensor/data/ActorDynamicState.h; packed, little-endian).
 */
export interface EpisodeLayout {
  readonly headerBytes: number;
  /** offset of the three map origin integers, where there are some */
  readonly mapOriginAt: number | null;
  readonly simulationStateAt: number | null;
  readonly strideBytes: number;
  readonly actorStateAt: number | null;
  readonly transformAt: number;
  readonly velocityAt: number;
  readonly angularVelocityAt: number;
  readonly accelerationAt: number;
  readonly stateAt: number;
  /** traffic lights: with the OpenDRIVE id in front (from 0.9.10) or without */
  readonly hasSignId: boolean;
}

const since0912: EpisodeLayout = {
  headerBytes: 36,
  mapOriginAt: 20,
  simulationStateAt: 32,
  strideBytes: 119,
  actorStateAt: 4,
  transformAt: 5,
  velocityAt: 29,
  angularVelocityAt: 41,
  accelerationAt: 53,
  stateAt: 65,
  hasSignId: true,
};

/** By name of the first version that has it. */
export const episodeLayouts = {
  '0.9.8': {
    headerBytes: 20,
    mapOriginAt: null,
    simulationStateAt: null,
    strideBytes: 93,
    actorStateAt: null,
    transformAt: 4,
    velocityAt: 28,
    angularVelocityAt: 40,
    accelerationAt: 52,
    stateAt: 64,
    hasSignId: false,
  },
  '0.9.10': {
    headerBytes: 24,
    mapOriginAt: null,
    simulationStateAt: 20,
    strideBytes: 118,
    actorStateAt: null,
    transformAt: 4,
    velocityAt: 28,
    angularVelocityAt: 40,
    accelerationAt: 52,
    stateAt: 64,
    hasSignId: true,
  },
  '0.9.12': since0912,
  /** what the development branch has after 0.9.16: a quaternion of 16 bytes behind the transform */
  'ue4-dev': {
    ...since0912,
    strideBytes: 135,
    velocityAt: 45,
    angularVelocityAt: 57,
    accelerationAt: 69,
    stateAt: 81,
  },
} as const satisfies Record<string, EpisodeLayout>;

export type EpisodeLayoutName = keyof typeof episodeLayouts;
