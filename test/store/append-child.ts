/**
 * A process that appends to an audit store as fast as it can until it is killed. It writes, at once and
 * unbuffered, what it is doing, what the store suffers from (`trouble …`) and each head that the store has
 * acknowledged: `ack <epoch> <seq> <hash>`.
 * What it has said is the witness against which the database is held afterwards.
 *
 *     node append-child.js STATE_DIR [MAX_BYTES [TICKS]]
 */
import { writeSync } from 'node:fs';
import { openStore } from '../../daemon/store/open-store.js';
import { entry, runStart } from './store-fixture.js';

const [stateDir, maxBytes, maxTicks] = process.argv.slice(2);
say('phase open');
const store = await openStore({
  stateDir: stateDir!,
  ...(maxBytes === undefined ? {} : { maxBytes: Number(maxBytes) }),
});
for (const notice of store.notices) say(`notice ${notice}`);
store.beginRun(runStart(`run-${process.pid}`));
say('phase append');
let acknowledged = '';
let trouble: string | null = null;
const watch = setInterval(sayTrouble, 5);
sayTrouble();
for (let tick = 0; ; tick++) {
  const isUrgent = tick % 7 === 0;
  const body = { tick, text: 'x'.repeat((tick * 37) % 3000) };
  store.append(tick, tick * 50_000, 0, [
    isUrgent ? entry('act', body, 'now') : entry('decision', body),
    ...(tick % 3 === 0 ? [entry('heartbeat')] : []),
  ]);
  if (isUrgent) await store.whenDurable(tick, 60_000);
  const head = store.head();
  const text = head === null ? '' : `ack ${head.epoch} ${head.seq} ${head.hash}`;
  if (text !== acknowledged) say(text);
  acknowledged = text;
  if (maxTicks !== undefined && tick >= Number(maxTicks)) break;
}
clearInterval(watch);
say('phase close');
await store.close();
say('phase closed');

function sayTrouble(): void {
  if (store.trouble !== null && store.trouble !== trouble) {
    say(`trouble ${store.state().healthy ? 'though healthy' : 'unhealthy'}: ${store.trouble}`);
  }
  trouble = store.trouble;
}

function say(text: string): void {
  writeSync(1, `${text}\n`);
}
