/** The part of onnxruntime-node that is used here, and how it is found: it is an optional package of 288 MB. */
import { createRequire } from 'node:module';
import { DriveMcpError } from '../../../daemon/core/errors.js';

export interface OnnxTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: Float32Array | BigInt64Array | ArrayLike<unknown>;
  dispose?(): void;
}

export interface OnnxValueMetadata {
  readonly name: string;
  readonly isTensor: boolean;
  readonly type?: string;
  /** a name or −1 where it is free */
  readonly shape?: readonly (number | string)[];
}

export interface OnnxSession {
  readonly inputMetadata: readonly OnnxValueMetadata[];
  readonly outputMetadata: readonly OnnxValueMetadata[];
  run(
    feeds: Readonly<Record<string, OnnxTensor>>,
    fetches: readonly string[],
  ): Promise<Record<string, OnnxTensor>>;
  release(): Promise<void>;
}

export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
}

export const onnxRuntimePackage = 'onnxruntime-node';

/**
 * One thread that does not spin: on two cores shared with a decision loop, a second thread made inference slower, and
 * waiting threads took the time of everybody else.
 */
export const sessionOptions = {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  logSeverityLevel: 4,
  extra: {
    session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } },
  },
} as const;

/**
 * @param name package or path to load; another name than the default shows what happens where it is absent
 * @throws DriveMcpError ENCODER_UNAVAILABLE
 */
export function loadOnnxRuntime(name: string): OnnxRuntime {
  try {
    return createRequire(import.meta.url)(name) as OnnxRuntime;
  } catch (cause) {
    const isAbsent = (cause as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
    throw new DriveMcpError(
      'ENCODER_UNAVAILABLE',
      isAbsent
        ? `the optional package ${name} is not installed`
        : `${name} does not load: ${(cause as Error).message}`,
      { cause, hint: 'npm install with optional packages; retrieval goes on with the sub-word encoder' },
    );
  }
}
