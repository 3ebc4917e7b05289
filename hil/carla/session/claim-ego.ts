/** Which vehicle is the ego: one that is there under a usual role name, or one that this session spawns. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { Actor } from '../wire/actor.js';
import type { Transform } from '../wire/geometry.js';
import type { CarlaSession } from './carla-session.js';
import type { WorldState } from './world-feed.js';

/** Role names by which an ego is known (CARLA's scripts, ros-bridge). */
const egoRoles = ['hero', 'ego_vehicle'];
const preferredBlueprints = ['vehicle.drivemcp.estate', 'vehicle.tesla.model3', 'vehicle.lincoln.mkz_2017'];
/** Places that are tried before it is given up: others may stand on the first ones. */
const triedPlaces = 20;

type Order = (places: readonly Transform[]) => readonly Transform[];

export interface ClaimedEgo {
  readonly actor: Actor;
  /** spawned here: this session drives it, and it goes with the session */
  readonly isOurs: boolean;
}

/**
 * `order` says which spawn points are tried first.
 * @throws DriveMcpError CARLA_REFUSED where there is no ego and none can be spawned
 */
export async function claimEgo(session: CarlaSession, state: WorldState, order: Order): Promise<ClaimedEgo> {
  const found = await session.findVehicle(egoRoles, state);
  return found === null
    ? { actor: await spawnEgo(session, order), isOurs: true }
    : { actor: found, isOurs: false };
}

async function spawnEgo(session: CarlaSession, order: Order): Promise<Actor> {
  const typeId =
    preferredBlueprints.find((name) => session.definitions.some(({ id }) => id === name)) ??
    session.definitions.find(({ id }) => id.startsWith('vehicle.'))?.id;
  if (typeId === undefined) throw new DriveMcpError('CARLA_REFUSED', 'the server has no vehicle to spawn');
  const points = order(await session.spawnPoints());
  let last: unknown = new DriveMcpError('CARLA_REFUSED', 'the map has no spawn points');
  for (const transform of points.slice(0, triedPlaces)) {
    try {
      return await session.spawn(typeId, { role_name: 'hero' }, transform);
    } catch (error) {
      if (!(error instanceof DriveMcpError) || error.code !== 'CARLA_REFUSED') throw error;
      last = error;
    }
  }
  throw last;
}
