import type { OpenFrameLog } from '../daemon/ports.js';
import type { DaemonView } from './drivemcp/daemon-view.js';
import { inProcessExperts } from './in-process-experts.js';
import type { ExpertServer, ServerName } from './shared/expert-server.js';

/** What the servers need of their surroundings; nothing of it is read before a call asks. */
export interface ServerSurroundings {
  /** version of the product */
  readonly version: string;
  /** folder of the rulepacks that come with the program */
  readonly builtInPacks: string;
  /** a daemon and its runs, for the server `drivemcp` */
  readonly daemon: DaemonView;
  /** opens logs for the server `can` */
  readonly openLog: OpenFrameLog;
  /** folders whose files the server `can` may read */
  readonly folders: readonly string[];
  /** for whoever runs the server */
  readonly tell: (message: string) => void;
}

/** Builds the definition of one server; only the modules of that server are loaded. */
export async function openServer(name: ServerName, surroundings: ServerSurroundings): Promise<ExpertServer> {
  const { version, builtInPacks, daemon, openLog, folders, tell } = surroundings;
  switch (name) {
    case 'rules': {
      const { rulesServer } = await import('./rules/rules-server.js');
      return rulesServer({ builtInFolder: builtInPacks, stateDir: daemon.stateDir, tell }, version);
    }
    case 'weather': {
      const { weatherServer } = await import('./weather/weather-server.js');
      return weatherServer({ outside: null }, version);
    }
    case 'can': {
      const { canServer } = await import('./can/can-server.js');
      return canServer({ folders, openLog, signalSocket: null }, version);
    }
    case 'drivemcp': {
      const { drivemcpServer } = await import('./drivemcp/drivemcp-server.js');
      const ask = inProcessExperts((expert) => openServer(expert, surroundings), Date.now);
      return drivemcpServer(daemon, ask, version);
    }
  }
}
