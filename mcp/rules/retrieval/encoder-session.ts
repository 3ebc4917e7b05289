/** A sentence encoder in memory: checked when it is loaded, checked again at every vector it gives. Runs in a worker. */
import { join } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { modelFile } from './encoder-manifest.js';
import type { ModelFolder } from './model-folder.js';
import { type OnnxRuntime, type OnnxSession, type OnnxTensor, sessionOptions } from './onnx-runtime.js';
import type { TextTokens } from './text-tokens.js';
import { toUnitLength } from './unit-vector.js';

const inputNames = ['input_ids', 'attention_mask', 'token_type_ids'] as const;

export class EncoderSession {
  readonly #runtime: OnnxRuntime;
  readonly #session: OnnxSession;
  readonly #folder: ModelFolder;
  readonly #output: string;

  private constructor(runtime: OnnxRuntime, session: OnnxSession, folder: ModelFolder) {
    this.#runtime = runtime;
    this.#session = session;
    this.#folder = folder;
    this.#checkInputs();
    this.#output = this.#checkOutput();
  }

  /** @throws DriveMcpError MODEL_INVALID */
  static async load(runtime: OnnxRuntime, folder: ModelFolder): Promise<EncoderSession> {
    let session: OnnxSession;
    try {
      session = await runtime.InferenceSession.create(folder.model, sessionOptions);
    } catch (cause) {
      throw new DriveMcpError('MODEL_INVALID', `not an ONNX model that loads: ${firstLine(cause)}`, {
        location: { file: join(folder.folder, modelFile) },
        cause,
      });
    }
    try {
      return new EncoderSession(runtime, session, folder);
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  /**
   * The vector of one text, of unit length; zero where no token is known to the tokenizer. Texts run one by one: a batch
   * would have to be padded, and padding changes the last digits of a sum.
   * @throws DriveMcpError MODEL_INVALID
   */
  async vector(tokens: TextTokens): Promise<Float32Array> {
    const { dimensions, pooling } = this.#folder.manifest;
    const length = tokens.ids.length;
    if (length === 0) return new Float32Array(dimensions);
    const feeds: Record<string, OnnxTensor> = {};
    for (const { name } of this.#session.inputMetadata) {
      const values = name === 'input_ids' ? tokens.ids : name === 'attention_mask' ? tokens.mask : null;
      const data = values ? BigInt64Array.from(values, BigInt) : new BigInt64Array(length);
      feeds[name] = new this.#runtime.Tensor('int64', data, [1, length]);
    }
    let result: OnnxTensor | undefined;
    try {
      result = (await this.#session.run(feeds, [this.#output]))[this.#output];
    } catch (cause) {
      throw this.#refuse(`does not run on ${length} tokens: ${firstLine(cause)}`, this.#output, cause);
    }
    const expected = pooling === 'none' ? [1, dimensions] : [1, length, dimensions];
    if (!result || !(result.data instanceof Float32Array) || result.dims.join() !== expected.join()) {
      throw this.#refuse(
        `gives ${result?.type ?? 'nothing'} [${result?.dims.join(', ') ?? ''}], not float32 [${expected.join(', ')}]`,
        this.#output,
      );
    }
    const vector = pool(result.data, tokens.mask, dimensions, pooling);
    if (!vector.every(Number.isFinite))
      throw this.#refuse('gives a value that is no finite number', this.#output);
    return toUnitLength(vector);
  }

  async release(): Promise<void> {
    await this.#session.release();
  }

  #checkInputs(): void {
    const found = this.#session.inputMetadata;
    if (!found.some(({ name }) => name === 'input_ids'))
      throw this.#refuse('the graph has no such input', 'input_ids');
    for (const { name, type, shape } of found) {
      if (!(inputNames as readonly string[]).includes(name))
        throw this.#refuse('the graph asks for an input that no tokenizer gives', name);
      if (type !== 'int64') throw this.#refuse(`the input is of type ${type ?? 'unknown'}, not int64`, name);
      if (shape && (shape.length !== 2 || shape.some((size) => typeof size === 'number' && size > 1)))
        throw this.#refuse(`the input has the shape [${shape.join(', ')}], not [texts, tokens]`, name);
    }
  }

  #checkOutput(): string {
    const { output, dimensions, pooling } = this.#folder.manifest;
    const all = this.#session.outputMetadata;
    const names = all.map(({ name }) => name).join(', ');
    if (output === undefined && all.length !== 1)
      throw this.#refuse(`the manifest names no output, the graph has ${names}`, 'output');
    const found = output === undefined ? all[0] : all.find(({ name }) => name === output);
    if (!found) throw this.#refuse(`the graph has no such output, only ${names}`, output ?? 'output');
    if (found.type !== 'float32')
      throw this.#refuse(`the output is of type ${found.type ?? 'unknown'}, not float32`, found.name);
    const rank = pooling === 'none' ? 2 : 3;
    const last = found.shape?.at(-1);
    if (found.shape && found.shape.length !== rank)
      throw this.#refuse(
        `the output has ${found.shape.length} axes; with pooling ${pooling} there are ${rank}`,
        found.name,
      );
    if (typeof last === 'number' && last > 0 && last !== dimensions)
      throw this.#refuse(
        `the output has vectors of ${last} numbers, the manifest says ${dimensions}`,
        found.name,
      );
    return found.name;
  }

  #refuse(message: string, key: string, cause?: unknown): DriveMcpError {
    return new DriveMcpError('MODEL_INVALID', message, {
      location: { file: join(this.#folder.folder, modelFile), key },
      ...(cause === undefined ? {} : { cause }),
    });
  }
}

function pool(
  data: Float32Array,
  mask: readonly number[],
  dimensions: number,
  pooling: 'mean' | 'cls' | 'none',
): Float32Array {
  if (pooling !== 'mean') return data.slice(0, dimensions);
  const sum = new Float64Array(dimensions);
  let weight = 0;
  for (const [token, counts] of mask.entries()) {
    if (counts === 0) continue;
    weight++;
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + (data[token * dimensions + i] ?? 0);
  }
  return Float32Array.from(sum, (value) => value / Math.max(1, weight));
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 300) ?? '';
}
