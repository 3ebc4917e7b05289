/** A process that receives, shuts itself off from sending, and then tries every way to send. Prints what happened. */
import { spawnSync } from 'node:child_process';
import { writeSync, writevSync } from 'node:fs';
import { createRequire } from 'node:module';
import { FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { NativePort } from '../../daemon/sources/can/native-port.js';
import { type CanRxModule, type HostModule, loadCanRx, loadHost } from '../../native/index.js';

const canRx = loadCanRx().module as CanRxModule;
const host = loadHost().module as HostModule;
const port = new NativePort(canRx, 'vcan0');
const frame = Buffer.alloc(16);

function attempt(what: () => unknown): string {
  try {
    const result = what();
    return result === undefined ? 'done' : String(result);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
}

const python = (body: string): string => {
  const run = spawnSync(
    '/usr/bin/python3',
    ['-c', `import socket,os,ctypes\ntry:\n ${body}\n print("done")\nexcept OSError as e: print(e.errno)`],
    { encoding: 'utf8' },
  );
  return run.stdout?.trim() ?? String(run.error);
};
const descriptor = port.descriptor;

const before = {
  write: 'not tried',
  pythonSocket: python('socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW)'),
};
const denied = host.denyWrites(900);
/** How often the sandbox denied something while this was tried: an attempt that nobody hears of is not denied well. */
const heard: Record<string, number> = {};
function counted(name: string, what: () => string): string {
  const before = host.deniedCalls();
  const result = what();
  heard[name] = host.deniedCalls() - before;
  return result;
}
const after = {
  write: counted('write', () => attempt(() => writeSync(descriptor, frame))),
  writev: counted('writev', () => attempt(() => writevSync(descriptor, [frame]))),
  package: counted('package', () =>
    attempt(() => {
      const socketcan = createRequire(import.meta.url)('socketcan') as {
        createRawChannel(name: string): { start(): void };
      };
      socketcan.createRawChannel('vcan0').start();
    }),
  ),
  secondPort: counted('secondPort', () => attempt(() => new NativePort(canRx, 'vcan1'))),
  inherit: attempt(
    () =>
      spawnSync('/bin/true', { stdio: ['ignore', 'ignore', 'ignore', descriptor] }).error?.message ?? 'done',
  ),
  pythonSocket: counted('pythonSocket', () =>
    python('socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW)'),
  ),
  uring: counted('uring', () =>
    python(
      'r = ctypes.CDLL(None, use_errno=True).syscall(425, 4, ctypes.create_string_buffer(120))\n if r < 0: raise OSError(ctypes.get_errno(), "")',
    ),
  ),
  ordinaryWrite: attempt(() => writeSync(2, '')),
};
process.stdout.write(`${JSON.stringify({ before, denied, after, heard, told: host.describeDenied() })}\n`);

// Receiving goes on: the parent sends now.
const batch = new FrameBatch(16);
const times = new Float64Array(16);
const timer = setInterval(() => {
  port.drain(batch, 0, times);
  if (!batch.id.subarray(0, batch.count).includes(0x321)) return;
  clearInterval(timer);
  process.stdout.write(`${JSON.stringify({ received: [...batch.id.subarray(0, batch.count)] })}\n`);
  port.close();
}, 5);
