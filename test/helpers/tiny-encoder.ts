/** A sentence encoder of a few words, made in the test: a real ONNX graph and a real tokenizer.json. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type TokenTable, tableGraph } from '../../scripts/encoder/table-graph.js';
import { unknownToken, wordPieceFile } from '../../scripts/encoder/word-piece-file.js';

/** Reason of a skip where the optional package is absent, or false. */
export const noOnnxRuntime: string | false = (() => {
  try {
    createRequire(import.meta.url).resolve('onnxruntime-node');
    return false;
  } catch {
    return 'the optional package onnxruntime-node is not installed';
  }
})();

export const tinyDimensions = 16;

/** Words of the calibration sentences are among them, so that random pairs differ. */
const words =
  'the on of in a is are for and two six der die das um zug orgel le la les chat pneus hiver de copper iron ' +
  'speed limit town rain wet motorway stadt tempo regen autobahn ville pluie autoroute snow tyre tyres winter';

export const tinyVocabulary: readonly string[] = [
  unknownToken,
  ...new Set(words.split(' ')),
  '.',
  '##s',
  '##er',
];

export interface TinyEncoderFiles {
  readonly model?: Uint8Array;
  readonly tokenizer?: string;
  /** over the fields of the manifest; `files` are the true digests unless given */
  readonly manifest?: Readonly<Record<string, unknown>>;
}

/** Writes the folder of a model and returns it. */
export function writeTinyEncoder(folder: string, files: TinyEncoderFiles = {}): string {
  const model = files.model ?? tinyModel();
  const tokenizer = files.tokenizer ?? wordPieceFile(tinyVocabulary);
  const digest = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex');
  const manifest = {
    kind: 'encoder',
    name: 'tiny',
    title: 'made in a test',
    licence: 'Apache-2.0',
    source: 'made in a test',
    dimensions: tinyDimensions,
    max_tokens: 32,
    pooling: 'none',
    files: { 'model.onnx': digest(model), 'tokenizer.json': digest(tokenizer) },
    ...files.manifest,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.onnx'), model);
  writeFileSync(join(folder, 'tokenizer.json'), tokenizer);
  writeFileSync(join(folder, 'model.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return folder;
}

export function tinyModel(scale = 1): Uint8Array {
  return tableGraph(tinyTable(scale), 'tiny');
}

/** A table of numbers that look random and are the same everywhere; the row of [UNK] is zero. */
export function tinyTable(scale = 1): TokenTable {
  const tokens = tinyVocabulary.length;
  const quantised = new Int8Array(tokens * tinyDimensions);
  let state = 12345;
  for (let i = tinyDimensions; i < quantised.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    quantised[i] = (state >>> 24) - 128;
  }
  return {
    tokens,
    dimensions: tinyDimensions,
    quantised,
    scales: new Float32Array(tokens).fill(scale / 128),
  };
}
