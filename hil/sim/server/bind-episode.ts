/** RPC methods about the episode: version, map, settings, weather, ticking, tokens. */
import type { CarlaMethods } from '../../carla/rpc/methods.js';
import { RefusedCall } from '../../carla/rpc/rpc-server.js';
import type { Transform } from '../../carla/wire/geometry.js';
import { isDriving } from '../../opendrive/lane-network.js';
import { readOpenDrive } from '../../opendrive/read-map.js';
import { lanePose, sectionAt } from '../../opendrive/road-line.js';
import { mapNames } from '../maps/map-catalogue.js';
import { toTransform } from './carla-axes.js';
import { tokenValue } from './episode.js';
import { answering } from './refusals.js';
import { clientMapName, type ServedWorld } from './served-world.js';

const spawnSpacingM = 25;
const maxSpawnPoints = 200;

export function bindEpisode(server: ServedWorld, methods: CarlaMethods): void {
  const { rpc, options } = server;
  const { profile } = options;
  rpc.bind(methods.version, () => options.version);
  rpc.bind(methods.getEpisodeInfo, () => ({
    id: server.episode.options.id,
    token: tokenValue(server.episode.worldToken),
  }));
  const name = (): string => `Carla/Maps/${server.episode.world.map.name}`;
  if (profile.hasMapData) {
    rpc.bind(methods.getMapInfo, () => ({ name: name(), spawnPoints: spawnPoints(server) }));
    rpc.bind(methods.getMapData, () => server.mapText);
  } else {
    rpc.bind(methods.getMapInfoWithData, () => ({
      name: name(),
      openDrive: server.mapText,
      spawnPoints: spawnPoints(server),
    }));
  }
  rpc.bind(methods.getAvailableMaps, () =>
    [...mapNames, clientMapName].map((map) => `/Game/Carla/Maps/${map}`),
  );
  const load = answering((map: string): void => server.load(map));
  const keep = answering((text: string): void => {
    readOpenDrive(text, "a client's map");
    server.clientMap = text;
  });
  if (profile.loadsLayers) rpc.bind(methods.loadEpisode, ([map]) => load(map));
  else rpc.bind(methods.loadEpisodeByName, ([map]) => load(map));
  if (profile.name === '0.9.8') rpc.bind(methods.copyOpenDriveText, ([text]) => keep(text));
  else rpc.bind(methods.copyOpenDrive, ([text]) => keep(text));
  rpc.bind(methods.getEpisodeSettings, () => server.settings);
  rpc.bind(methods.setEpisodeSettings, ([settings], connection) => {
    server.configure(settings, connection);
    return BigInt(server.episode.frame);
  });
  rpc.bind(methods.tickCue, async () => {
    if (!server.settings.synchronousMode) return BigInt(server.episode.frame + 1);
    return BigInt(await server.tick());
  });
  rpc.bind(methods.getWeather, () => server.episode.world.weather.at(server.episode.world.tS).weather);
  rpc.bind(methods.setWeather, ([weather]) => {
    for (const [field, value] of Object.entries(weather))
      if (!Number.isFinite(value)) throw new RefusedCall(`weather: ${field} is ${value}`);
    server.episode.world.setWeather(weather);
  });
  if (profile.hasSensorToken)
    rpc.bind(methods.getSensorToken, ([streamId]) => tokenValue(server.episode.token(streamId)));
  rpc.bind(methods.isTrafficManagerRunning, () => false);
}

/** Places on driving lanes outside junctions, a car's length apart and more. */
function spawnPoints(server: ServedWorld): readonly Transform[] {
  const points: Transform[] = [];
  for (const road of server.episode.world.map.roads.values()) {
    if (road.junction !== null) continue;
    for (let sM = 15; sM < road.lengthM - 10; sM += spawnSpacingM)
      for (const lane of sectionAt(road, sM).lanes)
        if (isDriving(lane) && points.length < maxSpawnPoints)
          points.push(toTransform(lanePose(road, lane.id, sM)));
  }
  return points.map(({ location, rotation }) => ({
    location: { ...location, z: location.z + 0.3 },
    rotation,
  }));
}
