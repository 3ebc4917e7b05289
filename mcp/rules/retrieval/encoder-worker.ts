/**
 * Worker that runs a sentence encoder: the runtime's `run()` computes on the calling JavaScript thread, so on the main
 * thread it would stall everything else for as long as the model takes.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { EncoderWorkerData, FromEncoder, PlainError, ToEncoder } from './encoder-protocol.js';
import { EncoderSession } from './encoder-session.js';
import { readModelFolder } from './model-folder.js';
import { loadOnnxRuntime } from './onnx-runtime.js';
import { randomCosineOf, unrelatedTexts } from './random-cosine.js';
import { TextTokenizer } from './text-tokens.js';

const port = parentPort;
if (!port) throw new Error('runs as a worker');
const post = (message: FromEncoder, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

const { folder: path, runtime } = workerData as EncoderWorkerData;
try {
  const onnx = loadOnnxRuntime(runtime);
  const folder = readModelFolder(path);
  const { dimensions, random_cosine: stated } = folder.manifest;
  const tokenizer = await TextTokenizer.load(folder);
  const session = await EncoderSession.load(onnx, folder);
  // Whether it runs at all is known before the first question.
  const probes: Float32Array[] = [];
  for (const text of unrelatedTexts) probes.push(await session.vector(tokenizer.tokens(text, 'passage')));
  const randomCosine = stated ?? randomCosineOf(probes);
  if (randomCosine > 0.99)
    throw new DriveMcpError('MODEL_INVALID', 'gives the same vector for unrelated texts', {
      location: { file: path },
    });

  const answer = async (message: ToEncoder): Promise<void> => {
    if (message.type === 'close') {
      await session.release();
      port.close();
      return;
    }
    const { call, texts, role } = message;
    try {
      const vectors = new Float32Array(texts.length * dimensions);
      let cutCount = 0;
      for (const [at, text] of texts.entries()) {
        const tokens = tokenizer.tokens(text, role);
        if (tokens.isCut) cutCount++;
        vectors.set(await session.vector(tokens), at * dimensions);
      }
      post({ type: 'vectors', call, vectors, cutCount }, [vectors.buffer]);
    } catch (error) {
      post({ type: 'failed', call, error: plain(error) });
    }
  };
  // One after the other: a message that arrives while another text is computed must not run beside it.
  let turn: Promise<void> = Promise.resolve();
  port.on('message', (message: ToEncoder) => {
    turn = turn.then(() => answer(message));
  });
  post({ type: 'ready', id: folder.id, dimensions, randomCosine });
} catch (error) {
  post({ type: 'refused', error: plain(error) });
}

function plain(error: unknown): PlainError {
  const known =
    error instanceof DriveMcpError
      ? error
      : new DriveMcpError('ENCODER_UNAVAILABLE', error instanceof Error ? error.message : String(error));
  return { code: known.code, message: known.message, location: known.location, hint: known.hint };
}
