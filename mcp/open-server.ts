import type { ExpertServer, ServerName } from './shared/expert-server.js';

/** What the servers need of their surroundings; nothing of it is read before a call asks. */
export interface ServerSurroundings {
  /** version of the product */
  readonly version: string;
  /** folder of the rulepacks that come with the program */
  readonly builtInPacks: string;
  readonly stateDir: string;
}

/** Builds the definition of one server; only the modules of that server are loaded. */
export async function openServer(
  name: Exclude<ServerName, 'can' | 'drivemcp'>,
  { version, builtInPacks, stateDir }: ServerSurroundings,
): Promise<ExpertServer> {
  switch (name) {
    case 'rules':
      return (await import('./rules/rules-server.js')).rulesServer(
        { builtInFolder: builtInPacks, stateDir },
        version,
      );
    case 'weather':
      return (await import('./weather/weather-server.js')).weatherServer({ outside: null }, version);
  }
}
