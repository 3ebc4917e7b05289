/** What the main thread and the encoder's worker say to each other. */
import type { ErrorCode, ErrorLocation } from '../../../daemon/core/errors.js';
import type { TextRole } from './passage-encoder.js';

export interface EncoderWorkerData {
  readonly folder: string;
  /** package that runs the graph */
  readonly runtime: string;
}

export type ToEncoder =
  | {
      readonly type: 'encode';
      readonly call: number;
      readonly texts: readonly string[];
      readonly role: TextRole;
    }
  | { readonly type: 'close' };

export interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly location: ErrorLocation;
  readonly hint: string;
}

export type FromEncoder =
  | {
      readonly type: 'ready';
      readonly id: string;
      readonly dimensions: number;
      readonly randomCosine: number;
    }
  | { readonly type: 'refused'; readonly error: PlainError }
  | {
      readonly type: 'vectors';
      readonly call: number;
      /** one after the other */
      readonly vectors: Float32Array;
      readonly cutCount: number;
    }
  | { readonly type: 'failed'; readonly call: number; readonly error: PlainError };
