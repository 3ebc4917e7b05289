/** Simulated control units on a CAN interface: for virtual buses only. */
import { CanChannel } from '../transmit/can-channel.js';
import { type EcuCounters, type EcuFrame, EcuNodes } from './ecu-node.js';
import type { EcuScript } from './ecu-script.js';

/** A full queue of a virtual bus empties at once; this many tries are a fault of the bus. */
const sendTries = 1000;
/** cyclic frame of another node */
const trafficId = 0x100;

/**
 * Answers until the signal aborts. The caller has made sure that the interface is a virtual one.
 * @throws DriveMcpError CAN_UNAVAILABLE where the package is missing or the interface cannot be opened
 */
export async function runEcus(
  interfaceName: string,
  script: EcuScript,
  signal: AbortSignal,
  onReady: () => void,
): Promise<EcuCounters> {
  const timers = new Set<NodeJS.Timeout>();
  const nodes = new EcuNodes(script, {
    send: (frame) => send(frame),
    after: (ms, run) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, ms);
      timers.add(timer);
    },
  });
  const channel = new CanChannel(interfaceName, {
    heard: ({ rtr, id, ext, data }) => {
      if (!rtr) nodes.receive({ id, ext, data });
    },
  });
  const send = (frame: EcuFrame): void => {
    for (let tries = 0; tries < sendTries; tries++) if (channel.send(frame)) return;
  };
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
  channel.close();
  return nodes.counters;
}
