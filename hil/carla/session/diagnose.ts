/** Everything a bug report about a CARLA server needs: what it says, what it speaks, how its first world state looks. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { type Probe, probeProfile } from '../profile/probe-profile.js';
import { type CarlaProfile, carlaProfiles } from '../profile/profile.js';
import { carlaMethods } from '../rpc/methods.js';
import { RpcClient } from '../rpc/rpc-client.js';
import { streamToken } from './stream-token.js';
import { WorldFeed, type WorldState } from './world-feed.js';

/** null: the server did not say, and `failures` holds why. */
export interface Diagnosis {
  readonly version: string | null;
  readonly profile: string | null;
  readonly differences: readonly string[];
  readonly findings: Probe['findings'];
  readonly map: string | null;
  readonly spawnPoints: number | null;
  readonly blueprints: number | null;
  readonly sensors: readonly string[];
  readonly isSynchronous: boolean | null;
  readonly fixedDeltaS: number | null;
  readonly weather: Readonly<Record<string, number>> | null;
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
  /** `question: what went wrong`; a broken server is what a report is about */
  readonly failures: readonly string[];
}

export interface DiagnoseOptions {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  /** make a frozen server asynchronous; otherwise nothing is changed */
  readonly release: boolean;
}

const longestStateMs = 3000;
const retryMs = 1000;

/** Rejects with CARLA_UNREACHABLE where nobody answers at all; whatever fails later is a finding. */
export async function diagnose(options: DiagnoseOptions): Promise<Diagnosis> {
  const rpc = await RpcClient.connect(options);
  const questions = new Questions();
  const ask = questions.ask.bind(questions);
  try {
    const probe = await ask('version', () => probeProfile(rpc, null));
    const profile = probe?.profile ?? carlaProfiles['0.9.15'];
    const methods = carlaMethods(profile);
    const info = await ask('map', () =>
      profile.hasMapData ? rpc.call(methods.getMapInfo) : rpc.call(methods.getMapInfoWithData),
    );
    const settings = await ask('settings', () => rpc.call(methods.getEpisodeSettings));
    const definitions = await ask('blueprints', () => rpc.call(methods.getActorDefinitions));
    const weather = await ask('weather', () => rpc.call(methods.getWeather));
    const seen = await ask('world', () => firstState(rpc, profile, options));
    const isFrozen = settings?.synchronousMode === true && seen !== null && seen.state === null;
    const released =
      isFrozen && options.release
        ? await ask('release', () =>
            rpc.call(methods.setEpisodeSettings, { ...settings, synchronousMode: false }).then(() => true),
          )
        : null;
    return {
      version: probe?.versionText ?? null,
      profile: probe?.base ?? null,
      differences: probe?.differences ?? [],
      findings: probe?.findings ?? {},
      map: info?.name ?? null,
      spawnPoints: info?.spawnPoints.length ?? null,
      blueprints: definitions?.length ?? null,
      sensors: (definitions ?? []).map(({ id }) => id).filter((id) => id.startsWith('sensor.')),
      isSynchronous: settings?.synchronousMode ?? null,
      fixedDeltaS: settings?.fixedDeltaS ?? null,
      weather,
      world: seen === null || seen.state === null ? null : describeWorld(seen.state, seen.layout),
      isFrozen,
      wasReleased: released === true,
      failures: questions.failures,
    };
  } finally {
    rpc.close();
  }
}

/** Asks one thing after the other; a server that left one question open is not asked ten more. */
class Questions {
  readonly failures: string[] = [];
  #isSilent = false;

  async ask<T>(name: string, question: () => Promise<T>): Promise<T | null> {
    if (this.#isSilent) {
      this.failures.push(`${name}: not asked`);
      return null;
    }
    try {
      return await question();
    } catch (error) {
      this.#isSilent =
        error instanceof DriveMcpError && (error.code === 'CARLA_TIMEOUT' || error.code === 'CARLA_GONE');
      this.failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }
}

async function firstState(
  rpc: RpcClient,
  profile: CarlaProfile,
  { host, timeoutMs }: DiagnoseOptions,
): Promise<{ readonly state: WorldState | null; readonly layout: CarlaProfile['layout'] }> {
  const methods = carlaMethods(profile);
  const episode = await rpc.call(methods.getEpisodeInfo);
  const renew = streamToken(rpc, methods, profile.hasSensorToken, episode.token.data);
  const wish = { host, token: await renew(), connectTimeoutMs: timeoutMs, retryMs, renew };
  let problem: string | null = null;
  const feed = new WorldFeed(profile.layout, wish, (text) => {
    problem ??= text;
  });
  try {
    const state = await feed.reach(0, Math.min(longestStateMs, timeoutMs));
    return { state, layout: feed.layout };
  } catch (error) {
    // No state in time is what a frozen world looks like; a stream that fails is something else.
    if (problem !== null) throw new DriveMcpError('CARLA_WIRE', problem, { cause: error });
    if (!(error instanceof DriveMcpError) || error.code !== 'CARLA_TIMEOUT') throw error;
    return { state: null, layout: feed.layout };
  } finally {
    feed.close();
  }
}

function describeWorld(state: WorldState, layout: CarlaProfile['layout']): NonNullable<Diagnosis['world']> {
  return {
    headerBytes: layout.headerBytes,
    strideBytes: layout.strideBytes,
    actors: state.actors.length,
    frame: state.frame,
    deltaS: state.deltaS,
  };
}
