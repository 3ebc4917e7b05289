/** Leaves a server as it was found: destroys what was spawned, restores the settings; what could not be is told. */
import type { DriveMcpError } from '../../../daemon/core/errors.js';
import type { CarlaProfile } from '../profile/profile.js';
import type { CarlaMethods } from '../rpc/methods.js';
import { RpcClient, type RpcClientOptions } from '../rpc/rpc-client.js';
import type { ActorDescription } from '../wire/actor.js';
import type { EpisodeSettings } from '../wire/episode.js';

export interface Belongings {
  readonly profile: CarlaProfile;
  readonly methods: CarlaMethods;
  readonly episodeId: bigint;
  /** in the order in which they go: sensors first */
  readonly spawned: readonly number[];
  /** descriptions of what was asked for and never answered: it may be there all the same */
  readonly unanswered: readonly ActorDescription[];
  /** numbers of actors that were seen: what was made since has others */
  readonly seen: ReadonlySet<number>;
  /** what the settings were and what they were made; null: they were not changed */
  readonly settings: { readonly before: EpisodeSettings; readonly ours: EpisodeSettings } | null;
}

/** Longest wait of a connection that only cleans up, for each of its calls. */
const longestAgainMs = 2000;
/** Numbers are given in order: an actor whose own was never told has one soon after those that are known … */
const numbersAhead = 16;
/** … or, where no state of the world has come yet, one of the first. */
const firstNumbers = 4096;

/**
 * Over the session's own connection, or over a new one where that has ended: CARLA keeps the actors of a client that is
 * gone, and the world of an owner that is gone stands still. Goes on where one of them fails.
 */
export async function putBack(
  rpc: RpcClient,
  connection: RpcClientOptions,
  belongings: Belongings,
): Promise<readonly string[]> {
  const { spawned, unanswered, settings } = belongings;
  if (spawned.length === 0 && unanswered.length === 0 && settings === null) return [];
  if (rpc.isOpen && unanswered.length === 0) {
    const { left, isHanging } = await carryOut(rpc, belongings);
    if (!isHanging) return left;
  }
  let again: RpcClient;
  try {
    const timeoutMs = Math.min(connection.timeoutMs, longestAgainMs);
    again = await RpcClient.connect({ ...connection, timeoutMs });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [`the connection had ended: actors and settings stay as the server left them (${why})`];
  }
  try {
    return await restoreAfterLoss(again, belongings);
  } catch (error) {
    return [`cleaning up over a new connection: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    again.close();
  }
}

/** The server may be another one by now, or another client its owner: only what is still ours is touched. */
async function restoreAfterLoss(rpc: RpcClient, belongings: Belongings): Promise<readonly string[]> {
  const { methods, settings, episodeId, spawned } = belongings;
  const { id } = await rpc.call(methods.getEpisodeInfo);
  if (id !== episodeId) return [];
  const now = await rpc.call(methods.getEpisodeSettings);
  const isOurs =
    settings !== null &&
    now.synchronousMode === settings.ours.synchronousMode &&
    now.fixedDeltaS === settings.ours.fixedDeltaS;
  const there = await rpc.call(methods.getActorsById, [...spawned]);
  const strays = await findStrays(rpc, belongings);
  const { left } = await carryOut(rpc, {
    ...belongings,
    spawned: [...strays, ...spawned.filter((number) => there.some((actor) => actor.id === number))],
    settings: isOurs ? settings : null,
  });
  return left;
}

/** Actors just like what was asked for, with numbers that nobody had when it was. */
async function findStrays(rpc: RpcClient, belongings: Belongings): Promise<readonly number[]> {
  const { methods, unanswered, spawned, seen } = belongings;
  if (unanswered.length === 0) return [];
  const known = new Set([...seen, ...spawned]);
  const candidates = new Set<number>();
  if (seen.size === 0) for (let id = 1; id <= firstNumbers; id++) candidates.add(id);
  for (const id of known)
    for (let ahead = 1; ahead <= numbersAhead; ahead++)
      if (!known.has(id + ahead)) candidates.add(id + ahead);
  const found = await rpc.call(methods.getActorsById, [...candidates]);
  const strays: number[] = [];
  // One for each that was asked for, the first there is: another client may have made its like.
  for (const asked of unanswered) {
    const stray = found.find(({ id, description }) => !strays.includes(id) && isAsAsked(description, asked));
    if (stray !== undefined) strays.push(stray.id);
  }
  return strays;
}

function isAsAsked(made: ActorDescription, asked: ActorDescription): boolean {
  return (
    made.id === asked.id &&
    asked.attributes.every(({ id, value }) =>
      made.attributes.some((attribute) => attribute.id === id && attribute.value === value),
    )
  );
}

async function carryOut(
  rpc: RpcClient,
  belongings: Belongings,
): Promise<{ readonly left: readonly string[]; readonly isHanging: boolean }> {
  const { profile, methods, spawned, settings } = belongings;
  const left: string[] = [];
  let isHanging = false;
  const attempt = async (done: Promise<unknown>): Promise<void> => {
    await done.catch((error: DriveMcpError) => {
      left.push(error.message);
      isHanging ||= error.code === 'CARLA_TIMEOUT';
    });
  };
  const destroy = profile.destroySaysWhether ? methods.destroyActor : methods.destroyActorSilently;
  for (const id of spawned) {
    // A server that does not answer one call will not answer twenty; each would take its whole timeout.
    if (isHanging) left.push(`actor ${id} was not asked to go: the server does not answer`);
    else await attempt(rpc.call(destroy as typeof methods.destroyActorSilently, id));
  }
  if (settings !== null) await attempt(rpc.call(methods.setEpisodeSettings, settings.before));
  return { left, isHanging };
}
