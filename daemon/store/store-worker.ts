/** Worker entry: the one writer of the audit database. */
import { parentPort, workerData } from 'node:worker_threads';
import { StoreWriter } from './store-writer.js';
import type { FromWorker, StoreWorkerData, ToWorker } from './worker-protocol.js';

const port = parentPort;
if (port === null) throw new Error('the store worker is started by openStore');

const writer = new StoreWriter(workerData as StoreWorkerData, (message: FromWorker) =>
  port.postMessage(message),
);
port.on('message', (message: ToWorker) => {
  writer.handle(message);
  if (message.type === 'close') port.close();
});
writer.open();
