import { bin, bool, double, float, i32, list, optional, str, struct, u64, type ValueOf } from './codec.js';
import { transform } from './geometry.js';

/** A stream's token is a struct of one field, its 24 bytes. */
export const wireToken = struct('Token', { data: bin });

/** The token is the world observer's. */
export const episodeInfo = struct('EpisodeInfo', { id: u64, token: wireToken });

/** Since 0.9.12; before, the OpenDRIVE text stands between name and spawn points. */
export const mapInfo = struct('MapInfo', { name: str, spawnPoints: list(transform) });
export const mapInfoWithData = struct('MapInfo (≤ 0.9.11)', {
  name: str,
  openDrive: str,
  spawnPoints: list(transform),
});

const settingsFields = {
  synchronousMode: bool,
  noRenderingMode: bool,
  fixedDeltaS: optional(double),
  substepping: bool,
  maxSubstepDeltaS: double,
  maxSubsteps: i32,
  maxCullingDistanceM: float,
  deterministicRagdolls: bool,
  tileStreamDistanceM: float,
  actorActiveDistanceM: float,
  spectatorAsEgo: bool,
};

/** 11 fields since 0.9.15; older versions have the first 10 (0.9.12), 8 (0.9.11) or 3 (0.9.8) of them. */
export const settingsCodec = (fields: number) => struct('EpisodeSettings', settingsFields, fields);
export const episodeSettings = settingsCodec(11);
export type EpisodeSettings = ValueOf<typeof episodeSettings>;

export const defaultEpisodeSettings: EpisodeSettings = {
  synchronousMode: false,
  noRenderingMode: false,
  fixedDeltaS: null,
  substepping: true,
  maxSubstepDeltaS: 0.01,
  maxSubsteps: 10,
  maxCullingDistanceM: 0,
  deterministicRagdolls: true,
  tileStreamDistanceM: 3000,
  actorActiveDistanceM: 2000,
  spectatorAsEgo: true,
};

/** Since 0.9.10. */
export const openDriveGenerationParameters = struct('OpendriveGenerationParameters', {
  vertexDistanceM: double,
  maxRoadLengthM: double,
  wallHeightM: double,
  additionalWidthM: double,
  smoothJunctions: bool,
  enableMeshVisibility: bool,
  enablePedestrianNavigation: bool,
});

export const defaultOpenDriveGeneration: ValueOf<typeof openDriveGenerationParameters> = {
  vertexDistanceM: 2,
  maxRoadLengthM: 50,
  wallHeightM: 1,
  additionalWidthM: 0.6,
  smoothJunctions: true,
  enableMeshVisibility: true,
  enablePedestrianNavigation: true,
};
