/**
 * How soon a daemon's tick knows that its interface is gone, and how soon after the return it has a signal again.
 * Interfaces of the lab kernel (`npm run bench:can`); from the moment before `ip` is started, so its own start counts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { CanInterface } from '../../daemon/sources/can/can-interface.js';
import { hearLinks, LinkWatch } from '../../daemon/sources/can/link-watch.js';
import { NativePort } from '../../daemon/sources/can/native-port.js';
import { type CanRxModule, type HostModule, loadCanRx, loadHost } from '../../native/index.js';
import { addVcan, ip, packageSender } from '../kernel/bus.js';
import type { BenchRow } from './bench-row.js';

const outages = 20;
const periodMs = 50;

export async function canOutages(): Promise<BenchRow[]> {
  const name = 'vcan16';
  addVcan(name);
  const links = new LinkWatch(loadHost().module as HostModule);
  const port = new NativePort(loadCanRx().module as CanRxModule, name);
  const one = new CanInterface(port, 0);
  const batch = new FrameBatch(4096);
  const timesUs = new Float64Array(4096);
  const startMs = performance.now();
  /** Ticks as the daemon does: look, then wait for the next whole period. */
  const tickUntil = async (holds: (frames: number) => boolean): Promise<number> => {
    for (;;) {
      const tUs = (performance.now() - startMs) * 1000;
      hearLinks(links, [one], tUs);
      if (one.checkPort(tUs)) links.ask();
      batch.clear();
      if (holds(one.drain(batch, 0, timesUs, tUs))) return performance.now();
      await sleep(periodMs - ((performance.now() - startMs) % periodMs));
    }
  };
  await tickUntil(() => one.life.state === 'up');
  const noticedMs: number[] = [];
  const recoveredMs: number[] = [];
  for (let i = 0; i < outages; i++) {
    const downMs = performance.now();
    ip(`link set ${name} down`);
    noticedMs.push((await tickUntil(() => one.life.state === 'down')) - downMs);
    const upMs = performance.now();
    ip(`link set ${name} up`);
    const bus = packageSender(name);
    const talk = setInterval(() => bus.send(0x100, [1]), 10);
    recoveredMs.push((await tickUntil((frames) => frames > 0)) - upMs);
    clearInterval(talk);
    await tickUntil((frames) => frames === 0);
    bus.stop();
  }
  port.close();
  links.close();
  ip(`link del ${name}`);
  return [
    {
      name: `link death noticed, worst of ${outages}`,
      unit: 'ms',
      value: Math.max(...noticedMs),
      target: 200,
    },
    {
      name: `first frame after the link is back, worst of ${outages}`,
      unit: 'ms',
      value: Math.max(...recoveredMs),
      target: 500,
    },
  ];
}
