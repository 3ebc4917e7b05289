/** The other end of the wire in kernel tests: virtual CAN interfaces and a sender on them, a process of its own. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { stopChannel } from '../../daemon/sources/can/stopped-channel.js';
import { loadCanRx, loadHost } from '../../native/index.js';

export interface Sender {
  send(
    id: number,
    data: readonly number[],
    options?: { ext?: boolean; rtr?: boolean; error?: boolean },
  ): void;
  /** Sends and tells the errno, 0 where the frame went out. */
  attempt(id: number, data?: readonly number[]): Promise<number>;
  /** Resolves when everything sent so far is on the bus. */
  flushed(): Promise<void>;
  /** Lets what was sent go out, then ends. */
  stop(): void;
}

/** Debian's own where it is: version managers put scripts in front that take a second to start. */
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

/** Why the kernel tests cannot run here, or false. */
export function kernelSkip(): string | false {
  if (spawnSync('ip', ['link', 'show', 'vcan0']).status !== 0)
    return 'this kernel has no vcan0: run in scripts/can-lab';
  for (const loaded of [loadCanRx(), loadHost()]) {
    if (loaded.module === null) return `native module missing: ${loaded.reason}`;
  }
  return spawnSync(python, ['-c', 'import socket; socket.AF_CAN']).status !== 0 && 'no python3 to send with';
}

export function sender(name: string): Sender {
  const child = spawn(python, [packageFile('test', 'kernel', 'bus_sender.py'), name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting: ((errno: number) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(Number(line)));
  child.stdin.on('error', () => {}); // it has ended; a test that minds looks at what arrives
  const say = (id: number, data: readonly number[], flags: string): Promise<number> => {
    child.stdin.write(`${id} ${flags} ${Buffer.from(data).toString('hex')}\n`);
    return new Promise((resolve) => waiting.push(resolve));
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    send: (id, data, options = {}) => {
      last = say(
        id,
        data,
        `${options.ext === true ? 'e' : ''}${options.rtr === true ? 'r' : ''}${options.error === true ? 'x' : ''}`,
      );
    },
    attempt: (id, data = []) => say(id, data, ''),
    flushed: async () => {
      await last;
    },
    stop: () => child.stdin.end(),
  };
}

/** ip(8) with words: `ip('link set vcan0 down')`. */
export function ip(words: string): void {
  execFileSync('ip', words.split(' '), { stdio: ['ignore', 'ignore', 'pipe'] });
}

export function addVcan(name: string): void {
  ip(`link add dev ${name} type vcan`);
  ip(`link set ${name} mtu 72`);
  ip(`link set ${name} up`);
}

/** Lets the event loop turn until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}

interface Channel {
  start(): void;
  stop(): void;
  send(message: { id: number; ext: boolean; rtr: boolean; data: Buffer }): number;
}

/**
 * A sender in this process, through npm `socketcan`: synchronous and fast, for benchmarks. Tests do not use it: stopping
 * a channel whose interface went down aborts the process.
 */
export function packageSender(name: string): {
  send(id: number, data: readonly number[]): void;
  stop(): void;
} {
  const socketcan = createRequire(import.meta.url)('socketcan') as {
    createRawChannel(name: string): Channel;
  };
  const channel = socketcan.createRawChannel(name);
  channel.start();
  return {
    send: (id, data) => {
      const message = { id, ext: false, rtr: false, data: Buffer.from(data) };
      // A full queue (ENOBUFS) is reported as a negative number of bytes; it empties in no time on a virtual bus.
      for (let attempt = 0; channel.send(message) < 0; attempt++) {
        if (attempt > 10_000) throw new Error(`${name} takes no frames`);
      }
    },
    stop: () => stopChannel(channel),
  };
}
