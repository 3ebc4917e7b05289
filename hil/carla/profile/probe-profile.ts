/**
 * Finds out what the server at the other end really speaks. The version string is the first guess and never the last
 * word: source builds say a commit hash, and a server of another patch may still be understood. What is asked: lengths of
 * structs, and the arity of methods, which rpclib tells in its error when a method is called with metadata alone.
 */
import type { RpcClient } from '../rpc/rpc-client.js';
import { array } from '../wire/codec.js';
import { type CarlaProfile, type CarlaProfileName, carlaProfiles } from './profile.js';

export interface Probe {
  readonly versionText: string;
  readonly profile: CarlaProfile;
  /** which profile it is nearest to */
  readonly base: CarlaProfileName;
  /** what was found to be other than the version says; empty where all is as expected */
  readonly differences: readonly string[];
  /** raw findings, for bug reports */
  readonly findings: Readonly<Record<string, string | number | null>>;
}

/** Arity including metadata; null: no such method. */
export type Arity = number | null;

const arityText = /got: (\d+)/;
const missingText = /could not find function/;

/** `asked` overrides the guess by version; throws what the connection throws. */
export async function probeProfile(client: RpcClient, asked: CarlaProfileName | null): Promise<Probe> {
  const versionText = String(await value(client, 'version'));
  const base = asked ?? profileByVersion(versionText);
  const [weatherFields, settingsFields, mapInfoFields] = [
    await lengthOf(client, 'get_weather_parameters'),
    await lengthOf(client, 'get_episode_settings'),
    await lengthOf(client, 'get_map_info'),
  ];
  const spawn = await arityOf(client, 'spawn_actor_with_parent');
  const token = await arityOf(client, 'get_sensor_token');
  const ackermann = await arityOf(client, 'apply_ackermann_control_to_vehicle');
  const velocity = await arityOf(client, 'set_actor_target_velocity');
  const loading = await arityOf(client, 'load_new_episode');
  const guess: CarlaProfile = carlaProfiles[base];
  const found: Partial<CarlaProfile> = {
    ...(weatherFields === null ? {} : { weatherFields }),
    ...(settingsFields === null ? {} : { settingsFields }),
    ...(mapInfoFields === null ? {} : { hasMapData: mapInfoFields === 2 }),
    hasSensorToken: token !== null,
    hasAckermann: ackermann !== null,
    hasTargetVelocity: velocity !== null,
    hasSocketName: spawn === 6,
    ...(loading === null ? {} : { loadsLayers: loading === 4 }),
  };
  const differences = Object.entries(found)
    .filter(([key, seen]) => guess[key as keyof CarlaProfile] !== seen)
    .map(([key, seen]) => `${key}: ${String(seen)} instead of ${String(guess[key as keyof CarlaProfile])}`);
  return {
    versionText,
    base,
    profile: asked === null ? { ...guess, ...found } : guess,
    differences,
    findings: {
      version: versionText,
      weather_fields: weatherFields,
      settings_fields: settingsFields,
      map_info_fields: mapInfoFields,
      spawn_actor_with_parent: spawn,
      get_sensor_token: token,
      apply_ackermann_control_to_vehicle: ackermann,
      set_actor_target_velocity: velocity,
      load_new_episode: loading,
    },
  };
}

/** The newest profile that is not newer than the version; 0.9.15 where the text is no version. */
export function profileByVersion(versionText: string): CarlaProfileName {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(versionText) ?? /^(\d+)\.(\d+)/.exec(versionText);
  if (parts === null) return '0.9.15';
  const [, major, minor, patch = '0'] = parts;
  if (Number(major) > 0 || Number(minor) >= 10) return '0.10';
  const known = ['0.9.8', '0.9.10', '0.9.11', '0.9.12', '0.9.13', '0.9.14', '0.9.15', '0.9.16'] as const;
  const notNewer = known.filter((name) => Number(name.split('.')[2]) <= Number(patch));
  return Number(patch) > 16 ? 'ue4-dev' : (notNewer.at(-1) ?? '0.9.8');
}

async function value(client: RpcClient, method: string): Promise<unknown> {
  const { error, result } = await client.raw(method, []);
  if (error !== null) return null;
  const [variant] = array(result, method);
  return array(variant, method)[1];
}

async function lengthOf(client: RpcClient, method: string): Promise<number | null> {
  const held = await value(client, method);
  return Array.isArray(held) ? held.length : null;
}

/** Nothing is carried out: every method asked here has parameters. */
async function arityOf(client: RpcClient, method: string): Promise<Arity> {
  const { error } = await client.raw(method, []);
  if (error === null || missingText.test(error)) return null;
  const got = arityText.exec(error)?.[1];
  return got === undefined ? null : Number(got);
}
