import { join } from 'node:path';
import { DriveMcpError } from '../daemon/core/errors.js';
import type { OpenFrameLog } from '../daemon/ports.js';
import { signalSocketName } from '../daemon/rpc/client/socket-name.js';
import type { DaemonView } from './drivemcp/daemon-view.js';
import type { RephraseSettings } from './drivemcp/rephrase/open-rephraser.js';
import { inProcessExperts } from './in-process-experts.js';
import type { ExpertServer, ServerName } from './shared/expert-server.js';
import type { OutsideSource } from './weather/outside/outside-weather.js';

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
  /** weather data from outside the car for the server `weather`; left out: none is ever asked */
  readonly outside?: { readonly file?: string | undefined; readonly url?: string | undefined };
  /** dense half of the search in the server `rules`, as `openEncoder` takes it, or `none`; default: `default` */
  readonly encoder?: string;
  /** who says level 2 of an answer in other words; left out: nobody */
  readonly rephrase?: RephraseSettings | null;
  /** for whoever runs the server */
  readonly tell: (message: string) => void;
}

/** Builds the definition of one server; only the modules of that server are loaded. */
export async function openServer(name: ServerName, surroundings: ServerSurroundings): Promise<ExpertServer> {
  const { version, builtInPacks, daemon, openLog, folders, tell } = surroundings;
  switch (name) {
    case 'rules': {
      const { rulesServer } = await import('./rules/rules-server.js');
      const { encoder } = surroundings;
      return rulesServer(
        {
          builtInFolder: builtInPacks,
          stateDir: daemon.stateDir,
          tell,
          ...(encoder === undefined ? {} : { encoder }),
        },
        version,
      );
    }
    case 'weather': {
      const { weatherServer } = await import('./weather/weather-server.js');
      return weatherServer({ outside: await outsideSource(surroundings) }, version);
    }
    case 'can': {
      const { canServer } = await import('./can/can-server.js');
      const signalSocket = join(daemon.stateDir, signalSocketName);
      return canServer({ folders, openLog, signalSocket }, version);
    }
    case 'drivemcp': {
      const { drivemcpServer } = await import('./drivemcp/drivemcp-server.js');
      const { rephrase = null } = surroundings;
      const rephraser =
        rephrase === null
          ? null
          : (await import('./drivemcp/rephrase/open-rephraser.js')).openRephraser(rephrase);
      const ask = inProcessExperts((expert) => openServer(expert, surroundings), Date.now);
      return drivemcpServer(daemon, ask, version, rephraser);
    }
  }
}

/** @throws DriveMcpError CONFIG_INVALID where two sources are named, or one that is not local */
async function outsideSource({ outside }: ServerSurroundings): Promise<OutsideSource | null> {
  if (outside?.file !== undefined && outside.url !== undefined) {
    throw new DriveMcpError('CONFIG_INVALID', 'a file and an address are two sources of weather; name one');
  }
  if (outside?.file !== undefined) {
    return (await import('./weather/outside/file-source.js')).outsideFile(outside.file);
  }
  if (outside?.url !== undefined) {
    return (await import('./weather/outside/http-source.js')).outsideHttp(outside.url);
  }
  return null;
}
