/** Connects, finds or spawns the ego, and begins the drive; on any failure nothing of ours is left at the server. */
import type { VehicleProfile } from '../../../daemon/ports.js';
import type { DbcDatabase } from '../../../daemon/vehicles/dbc/database.js';
import { type BrakeTable, matchBrakeTable } from '../../act/brake-table.js';
import { indexRoads } from '../../opendrive/locate.js';
import { readOpenDrive } from '../../opendrive/read-map.js';
import type { CarlaProfileName } from '../profile/profile.js';
import { CarlaSession, type SyncMode } from '../session/carla-session.js';
import { claimEgo } from '../session/claim-ego.js';
import { CarlaDrive } from './carla-drive.js';
import type { EgoCompanion } from './ego-companion.js';
import type { Intervention } from './ego-control.js';
import { applyRoadFriction } from './road-friction.js';
import { roomyFirst } from './roomy-places.js';

export interface CarlaDriveWish {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  readonly sync: SyncMode;
  readonly fixedDeltaS: number;
  readonly profile: CarlaProfileName | null;
  readonly vehicle: VehicleProfile;
  readonly database: DbcDatabase;
  readonly seed: string;
  readonly startWallMs: number;
  readonly endsAfterS: number;
  readonly intervene: Intervention | null;
  /** measured brakes that `intervene` counts on; held to the ego's blueprint */
  readonly brakeTable: BrakeTable | null;
  /** parts of the ego beside the server */
  readonly companion?: EgoCompanion | undefined;
  readonly notice: (text: string) => void;
}

export async function openCarlaDrive(wish: CarlaDriveWish): Promise<CarlaDrive> {
  const { host, port, timeoutMs, sync, fixedDeltaS, notice } = wish;
  const session = await CarlaSession.open({
    host,
    port,
    timeoutMs,
    sync,
    fixedDeltaS,
    profile: wish.profile,
    notice,
  });
  try {
    for (const difference of session.probe.differences)
      notice(`the server says ${session.probe.versionText}, but ${difference}`);
    if (session.probe.base === '0.10' || session.probe.base === 'ue4-dev')
      notice(`profile ${session.probe.base} has never been run against such a server`);
    const state = await session.step();
    const map = readOpenDrive(await session.map(), 'map of the server');
    for (const note of map.notes.slice(0, 5)) notice(`map: ${note}`);
    const index = indexRoads(map);
    const { actor: ego, isOurs } = await claimEgo(session, state, (places) => roomyFirst(map, index, places));
    notice(
      isOurs
        ? `spawned ${ego.description.id} as the ego`
        : `the ego is vehicle ${ego.id}, driven by others: an ACT is not carried out on it`,
    );
    const { brakeTable } = wish;
    const doubt =
      brakeTable === null ? null : matchBrakeTable(brakeTable, ego.description.id, session.probe.versionText);
    if (doubt !== null) notice(doubt);
    if (!session.isOurSimulator && isOurs) notice(await applyRoadFriction(session, ego.id));
    wish.companion?.begin(session, ego);
    return await CarlaDrive.begin({
      session,
      ego,
      isOurs,
      profile: wish.vehicle,
      database: wish.database,
      seed: wish.seed,
      map,
      index,
      startWallMs: wish.startWallMs,
      endsAfterS: wish.endsAfterS,
      intervene: wish.intervene,
      brakes: brakeTable === null ? 'nominal' : `table ${brakeTable.digest}`,
      companion: wish.companion,
      notice,
    });
  } catch (error) {
    for (const left of await session.close()) notice(`not put back: ${left}`);
    throw error;
  }
}
