import { daemonView } from '../../daemon/cli/daemon-view.js';
import { lazyOpenLog } from '../../daemon/cli/lazy-open-log.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { openServer } from '../../mcp/open-server.js';
import { type ExpertServer, serverNames } from '../../mcp/shared/expert-server.js';

/** All servers as the command opens them, on the given state directory; the vehicle's reads the test fixtures. */
export function realServers(stateDir: string): Promise<ExpertServer[]> {
  return Promise.all(
    serverNames.map((name) =>
      openServer(name, {
        version: '0.0.0',
        builtInPacks: packageFile('rulepacks'),
        daemon: daemonView(stateDir),
        openLog: lazyOpenLog,
        folders: [packageFile('test', 'fixtures')],
        tell: () => {},
      }),
    ),
  );
}
