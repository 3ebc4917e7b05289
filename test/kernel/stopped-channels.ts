/** A process of its own, run with `--expose-gc`: what it shows is an abort. Prints how many channels it stopped. */
import { createRequire } from 'node:module';
import { stopChannel } from '../../daemon/sources/can/stopped-channel.js';

interface Channel {
  start(): void;
  stop(): void;
  addListener(event: 'onMessage', listener: () => void): void;
}
const { createRawChannel } = createRequire(import.meta.url)('socketcan') as {
  createRawChannel(name: string, timestamps: boolean): Channel;
};
const collect = globalThis.gc as () => void;
const turn = () => new Promise((resolve) => setImmediate(resolve));
let stopped = 0;

/** In a function of its own: nothing of its frame may keep the channel alive. */
function startAndStop(): void {
  const channel = createRawChannel('vcan0', true);
  channel.addListener('onMessage', () => {});
  channel.start();
  stopChannel(channel);
  stopped++;
}

for (let i = 0; i < 300; i++) {
  startAndStop();
  collect();
  collect();
  collect();
  // What was freed is written to.
  for (let k = 0; k < 200; k++) Buffer.alloc(300 + k);
  await turn();
}
process.stdout.write(`${stopped}\n`);
