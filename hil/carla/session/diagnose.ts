/** Everything a bug report about a CARLA server needs: what it says, what it speaks, how its first world state looks. */
import { probeProfile } from '../profile/probe-profile.js';
import { carlaMethods } from '../rpc/methods.js';
import { RpcClient } from '../rpc/rpc-client.js';
import { readToken } from '../stream/token.js';
import { WorldFeed } from './world-feed.js';

export interface Diagnosis {
  readonly version: string;
  readonly profile: string;
  readonly differences: readonly string[];
  readonly findings: Readonly<Record<string, string | number | null>>;
  readonly map: string;
  readonly spawnPoints: number;
  readonly blueprints: number;
  readonly sensors: readonly string[];
  readonly isSynchronous: boolean;
  readonly fixedDeltaS: number | null;
  readonly weather: Readonly<Record<string, number>>;
  readonly world: {
    readonly headerBytes: number;
    readonly strideBytes: number;
    readonly actors: number;
    readonly frame: number;
    readonly deltaS: number;
  } | null;
  /** synchronous, and nobody ticks: the world stands still */
  readonly isFrozen: boolean;
  readonly wasReleased: boolean;
}

/** Looks without changing anything; with `release` a frozen server is made asynchronous. */
export async function diagnose(options: {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  readonly release: boolean;
}): Promise<Diagnosis> {
  const rpc = await RpcClient.connect(options);
  let feed: WorldFeed | undefined;
  try {
    const probe = await probeProfile(rpc, null);
    const methods = carlaMethods(probe.profile);
    const { profile } = probe;
    const episode = await rpc.call(methods.getEpisodeInfo);
    const info = profile.hasMapData
      ? await rpc.call(methods.getMapInfo)
      : await rpc.call(methods.getMapInfoWithData);
    const settings = await rpc.call(methods.getEpisodeSettings);
    const definitions = await rpc.call(methods.getActorDefinitions);
    let token = readToken(episode.token.data);
    if (profile.hasSensorToken)
      token = readToken((await rpc.call(methods.getSensorToken, token.streamId)).data);
    feed = new WorldFeed(options.host, token, profile.layout, options.timeoutMs);
    const first = await feed
      .reach(0, Math.min(3000, options.timeoutMs))
      .catch((error: Error & { code?: string }) => {
        if (error.code === 'CARLA_TIMEOUT') return null;
        throw error;
      });
    const isFrozen = settings.synchronousMode && first === null;
    if (isFrozen && options.release)
      await rpc.call(methods.setEpisodeSettings, { ...settings, synchronousMode: false });
    return {
      version: probe.versionText,
      profile: probe.base,
      differences: probe.differences,
      findings: probe.findings,
      map: info.name,
      spawnPoints: info.spawnPoints.length,
      blueprints: definitions.length,
      sensors: definitions.map(({ id }) => id).filter((id) => id.startsWith('sensor.')),
      isSynchronous: settings.synchronousMode,
      fixedDeltaS: settings.fixedDeltaS,
      weather: await rpc.call(methods.getWeather),
      world:
        first === null
          ? null
          : {
              headerBytes: feed.layout.headerBytes,
              strideBytes: feed.layout.strideBytes,
              actors: first.actors.length,
              frame: first.frame,
              deltaS: first.deltaS,
            },
      isFrozen,
      wasReleased: isFrozen && options.release,
    };
  } finally {
    feed?.close();
    rpc.close();
  }
}
