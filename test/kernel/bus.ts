/** The other end of the wire in kernel tests: virtual CAN interfaces and a sender on them (npm `socketcan`). */
import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { loadCanRx, loadHost } from '../../native/index.js';

export interface Sender {
  send(id: number, data: readonly number[], options?: { ext?: boolean; rtr?: boolean }): void;
  stop(): void;
}

interface Channel {
  start(): void;
  stop(): void;
  send(message: { id: number; ext: boolean; rtr: boolean; data: Buffer }): number;
}

const socketcan = (): { createRawChannel(name: string): Channel } | null => {
  try {
    return createRequire(import.meta.url)('socketcan') as { createRawChannel(name: string): Channel };
  } catch {
    return null;
  }
};

/** Why the kernel tests cannot run here, or false. */
export function kernelSkip(): string | false {
  if (spawnSync('ip', ['link', 'show', 'vcan0']).status !== 0)
    return 'this kernel has no vcan0: run in scripts/can-lab';
  for (const loaded of [loadCanRx(), loadHost()]) {
    if (loaded.module === null) return `native module missing: ${loaded.reason}`;
  }
  return socketcan() === null ? 'the package socketcan is not installed' : false;
}

export function sender(name: string): Sender {
  const channel = socketcan()!.createRawChannel(name);
  channel.start();
  return {
    send: (id, data, options = {}) => {
      const message = { id, ext: options.ext ?? false, rtr: options.rtr ?? false, data: Buffer.from(data) };
      // A full queue (ENOBUFS) is reported as a negative number of bytes; it empties in no time on a virtual bus.
      for (let attempt = 0; channel.send(message) < 0; attempt++) {
        if (attempt > 10_000) throw new Error(`${name} takes no frames`);
      }
    },
    stop: () => {
      try {
        channel.stop();
      } catch {
        // The package has stopped it already: its interface went down.
      }
    },
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
