/** Worker that encodes pictures: a picture takes milliseconds, in which the bridge's sockets have to be read. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FromJpegWorker, ToJpegWorker } from './jpeg-encoder.js';
import { loadTurboJpeg } from './turbo-jpeg.js';

const port = parentPort;
if (!port) throw new Error('runs as a worker');
const post = (message: FromJpegWorker, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

const encoder = new (await loadTurboJpeg()).JPEGEncoder();
encoder.setQuality((workerData as { quality: number }).quality);
// RFC 2435 carries baseline pictures of 4:2:0 with the Huffman tables that every decoder has.
encoder.setProgressive(0);
encoder.setSubSampling(2);

port.on('message', ({ bgra, widthPx, heightPx }: ToJpegWorker) => {
  try {
    const rgb = encoder.getDecodedBuffer({
      width: widthPx,
      height: heightPx,
      bitsPerSample: 8,
      componentCount: 3,
      isSigned: false,
    });
    for (let from = 0, to = 0; from < bgra.length; from += 4, to += 3) {
      rgb[to] = bgra[from + 2] as number;
      rgb[to + 1] = bgra[from + 1] as number;
      rgb[to + 2] = bgra[from] as number;
    }
    encoder.encode();
    const jpeg = encoder.getEncodedBuffer();
    post({ jpeg }, [jpeg.buffer as ArrayBuffer]);
  } catch (error) {
    // The module throws numbers: addresses in its memory.
    post({ problem: error instanceof Error ? error.message : `libjpeg-turbo failed (${String(error)})` });
  }
});
post({ isReady: true });
