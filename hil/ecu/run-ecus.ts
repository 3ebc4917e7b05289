/** Simulated control units on a CAN interface, through npm `socketcan`, which can send: for virtual buses only. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type EcuCounters, type EcuFrame, EcuNodes } from './ecu-node.js';
import type { EcuScript } from './ecu-script.js';

interface Message {
  readonly id: number;
  readonly ext?: boolean;
  readonly rtr?: boolean;
  readonly data: Buffer;
}

interface Channel {
  addListener(event: 'onMessage', listener: (message: Message) => void): void;
  start(): void;
  stop(): void;
  send(message: Message): number;
}

/** A full queue of a virtual bus empties at once; this many tries are a fault of the bus. */
const sendTries = 1000;
/** cyclic frame of another node */
const trafficId = 0x100;

/**
 * Answers until the signal aborts. The caller has made sure that the interface is a virtual one.
 * @throws Error where the package is missing or the interface cannot be opened
 */
export async function runEcus(
  interfaceName: string,
  script: EcuScript,
  signal: AbortSignal,
  onReady: () => void,
): Promise<EcuCounters> {
  const socketcan = createRequire(import.meta.url)('socketcan') as {
    createRawChannel(name: string): Channel;
  };
  const channel = socketcan.createRawChannel(interfaceName);
  const send = ({ id, ext, data }: EcuFrame): void => {
    for (let tries = 0; tries < sendTries; tries++)
      if (channel.send({ id, ext, rtr: false, data: Buffer.from(data) }) >= 0) return;
  };
  const timers = new Set<NodeJS.Timeout>();
  const nodes = new EcuNodes(script, {
    send,
    after: (ms, run) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, ms);
      timers.add(timer);
    },
  });
  channel.addListener('onMessage', ({ id, ext, rtr, data }) => {
    if (rtr !== true) nodes.receive({ id, ext: ext === true, data });
  });
  channel.start();
  let count = 0;
  const traffic =
    script.traffic_hz === 0
      ? null
      : setInterval(() => {
          count = (count + 1) & 255;
          send({ id: trafficId, ext: false, data: Uint8Array.of(count, 0, 0, 0, 0, 0, 0, 0) });
        }, 1000 / script.traffic_hz);
  onReady();
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  if (traffic !== null) clearInterval(traffic);
  for (const timer of timers) clearTimeout(timer);
  // The package aborts the process where a channel is stopped whose interface went down.
  if (isUp(interfaceName)) channel.stop();
  return nodes.counters;
}

function isUp(interfaceName: string): boolean {
  try {
    const flags = Number(readFileSync(`/sys/class/net/${interfaceName}/flags`, 'utf8'));
    return (flags & 1) === 1;
  } catch {
    return false;
  }
}
