#!/usr/bin/env node
import { writeAll } from '../runtime/write-all.js';
import { unexpectedError } from './unexpected-error.js';

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
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (reason: unknown) => {
    const { text, exitCode } = unexpectedError(reason);
    writeAll(2, `${text}\n`);
    process.exit(exitCode);
  });
}

// Loaded when the signals are being listened to: one that comes while the modules load ends the command properly.
const { dispatch } = await import('./dispatch.js');
process.exitCode = await dispatch(process.argv.slice(2), stop.signal);
