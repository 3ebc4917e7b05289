/** Run as a child: seals itself as the poller does, then tries to send by other ways. Prints what happened. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readlinkSync, writeSync } from 'node:fs';
import { type HostModule, loadHost, loadObdTx, type ObdTxModule } from '../../native/index.js';

const obdTx = loadObdTx().module as ObdTxModule;
const host = loadHost().module as HostModule;
const socket = new obdTx.IsotpSocket('vcan0', 0x7e0, false);
const descriptor = readdirSync('/proc/self/fd')
  .map(Number)
  .find((fd) => fd >= obdTx.firstDescriptor && readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:'));
if (descriptor === undefined) throw new Error('no socket from the reserved number on');

function attempt(what: () => unknown): string {
  try {
    return String(what());
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).name;
  }
}

const told = {
  sealed: String(obdTx.seal()),
  locked: String(host.denyWrites(900)),
  write: attempt(() => writeSync(descriptor, Uint8Array.of(0x04))),
  inherit: attempt(
    () =>
      spawnSync('/bin/true', { stdio: ['ignore', 'ignore', 'ignore', descriptor] }).error?.message ?? 'done',
  ),
  secondSocket:
    attempt(() => new obdTx.IsotpSocket('vcan0', 0x7e1, false)) === '[object Object]' ? 'opened' : 'refused',
  guarded: attempt(() => socket.send(Uint8Array.of(0x01, 0x0c))),
  tooSoon: attempt(() => socket.send(Uint8Array.of(0x01, 0x0c))),
  forbidden: attempt(() => socket.send(Uint8Array.of(0x04))),
};
process.stdout.write(JSON.stringify(told));
