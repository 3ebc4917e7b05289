/** BGRA pictures to baseline JPEG, in a thread of its own: the event loop is free meanwhile. */
import { Worker } from 'node:worker_threads';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { CameraImage } from '../../carla/stream/sensor-data.js';

export interface ToJpegWorker {
  readonly bgra: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

export type FromJpegWorker =
  | { readonly isReady: true }
  | { readonly jpeg: Uint8ClampedArray }
  | { readonly problem: string };

interface Asked {
  resolve(jpeg: Buffer): void;
  reject(error: DriveMcpError): void;
}

export class JpegEncoder {
  readonly #worker: Worker;
  readonly #asked: Asked[] = [];
  #end: DriveMcpError | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromJpegWorker) => this.#take(message));
    worker.on('error', (cause) => this.#stop(unavailable(cause.message, cause)));
    worker.on('exit', () => this.#stop(unavailable('the thread has ended')));
    worker.unref();
  }

  /** @param quality 1 … 100, as libjpeg counts. Rejects with CAMERA_UNAVAILABLE where the thread does not start. */
  static async open(quality: number): Promise<JpegEncoder> {
    const worker = new Worker(new URL('./jpeg-worker.js', import.meta.url), { workerData: { quality } });
    await new Promise<void>((resolve, reject) => {
      const fail = (cause: Error): void => reject(unavailable(cause.message, cause));
      worker.once('error', fail);
      worker.once('message', () => {
        worker.removeListener('error', fail);
        resolve();
      });
    });
    return new JpegEncoder(worker);
  }

  /** Pictures are encoded one after the other, in the order of the calls. Rejects with CAMERA_UNAVAILABLE. */
  encode({ bgra, widthPx, heightPx }: CameraImage): Promise<Buffer> {
    if (this.#end !== null) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      this.#worker.ref();
      // A copy, which goes over to the thread: the bytes belong to the stream's message.
      const copy = new Uint8Array(bgra);
      this.#worker.postMessage({ bgra: copy, widthPx, heightPx } satisfies ToJpegWorker, [copy.buffer]);
    });
  }

  async close(): Promise<void> {
    this.#stop(unavailable('it is closed'));
    this.#worker.ref();
    await this.#worker.terminate();
  }

  #take(message: FromJpegWorker): void {
    // What was under way when it was closed: the thread stays held until it has ended.
    if (this.#end !== null) return;
    const asked = this.#asked.shift();
    if (this.#asked.length === 0) this.#worker.unref();
    if ('jpeg' in message) asked?.resolve(Buffer.from(message.jpeg.buffer));
    else if ('problem' in message) asked?.reject(unavailable(message.problem));
  }

  #stop(error: DriveMcpError): void {
    this.#end ??= error;
    for (const { reject } of this.#asked.splice(0)) reject(this.#end);
  }
}

const unavailable = (problem: string, cause?: Error): DriveMcpError =>
  new DriveMcpError('CAMERA_UNAVAILABLE', `the encoder of the camera: ${problem}`, { cause });
