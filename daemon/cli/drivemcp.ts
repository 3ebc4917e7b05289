#!/usr/bin/env node
import { dispatch } from './dispatch.js';

const stop = new AbortController();
let signals = 0;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    signals++;
    stop.abort(name);
    // A second signal means "now": whoever sends it has seen that the first one is being honoured.
    if (signals > 1) process.exit(130);
  });
}
process.on('unhandledRejection', (reason) => {
  process.stderr.write(
    `drivemcp: unhandled rejection, please report it: ${reason instanceof Error ? reason.stack : String(reason)}\n`,
  );
  process.exit(1);
});

process.exitCode = await dispatch(process.argv.slice(2), stop.signal);
