/** What the RPC methods need of the simulator behind them. */
import type { CarlaProfile } from '../../carla/profile/profile.js';
import type { RpcServer } from '../../carla/rpc/rpc-server.js';
import type { EpisodeSettings } from '../../carla/wire/episode.js';
import type { Episode } from './episode.js';

/** name under which a map of a client's own is loaded, as in CARLA */
export const clientMapName = 'OpenDriveMap';

export interface ServedWorld {
  readonly options: { readonly profile: CarlaProfile; readonly version: string };
  readonly rpc: RpcServer;
  readonly episode: Episode;
  readonly mapText: string;
  readonly settings: EpisodeSettings;
  /** OpenDRIVE text a client has handed over */
  clientMap: string | null;
  load(name: string): void;
  tick(): Promise<number>;
  configure(settings: EpisodeSettings, connection: number): void;
}
