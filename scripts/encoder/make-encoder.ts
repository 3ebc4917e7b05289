/**
 * Makes the trained encoder anew: `node dist/scripts/encoder/make-encoder.js [FOLDER]`. Writes model.onnx, tokenizer.json and
 * model.json. Same packs and lexicons, same Node: same bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { bundledModels } from '../../mcp/rules/retrieval/bundled-encoders.js';
import { sha256 } from '../../mcp/rules/retrieval/model-folder.js';
import { pairDrawer } from './draw-pairs.js';
import { type TokenTable, tableGraph } from './table-graph.js';
import { trainTable } from './train-table.js';
import { readTrainingTexts, type TrainingTexts } from './training-texts.js';
import { wordPieceFile } from './word-piece-file.js';
import { buildVocabulary, foldedWords, Segmenter } from './word-pieces.js';

const name = 'road-words';
const options = { dimensions: 128, steps: 3000, batch: 128, temperature: 0.12, rate: 0.01, seed: 20261201 };

const folder = process.argv[2] ?? join(bundledModels, name);
const texts = readTrainingTexts(packageFile('rulepacks'));
const vocabulary = buildVocabulary(countWords(texts), {
  wordsMaxCount: 7500,
  sharedMinCount: 4,
  piecesMaxCount: 1500,
});
process.stderr.write(
  `${texts.passages.length} passages, ${texts.concepts.size} concepts, ${texts.situations.length} situations, ` +
    `${texts.synonyms.length} synonyms, ${texts.signs.length} signs, ${vocabulary.length} tokens\n`,
);
const table = trainTable(
  vocabulary.length,
  pairDrawer(texts, new Segmenter(vocabulary)),
  options,
  (step, loss) => {
    if (step % 250 === 0) process.stderr.write(`step ${step}: loss ${loss.toFixed(3)}\n`);
  },
);
const model = tableGraph(quantised(table, options.dimensions), name);
const tokenizer = wordPieceFile(vocabulary);
const manifest = {
  kind: 'encoder',
  name,
  title: 'Words of the road: a table of token vectors trained on the rulepacks and lexicons of this program',
  licence: 'Apache-2.0',
  source: 'made by scripts/encoder/make-encoder.ts from the rulepacks; see CARD.md',
  dimensions: options.dimensions,
  max_tokens: 512,
  pooling: 'none',
  output: 'sentence_embedding',
  files: { 'model.onnx': sha256(model), 'tokenizer.json': sha256(Buffer.from(tokenizer)) },
};
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'model.onnx'), model);
writeFileSync(join(folder, 'tokenizer.json'), tokenizer);
writeFileSync(join(folder, 'model.json'), `${JSON.stringify(manifest, null, 2)}\n`);
process.stderr.write(`${model.length + tokenizer.length} bytes in ${folder}\n`);

function countWords({ passages, concepts, synonyms, signs }: TrainingTexts): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (text: string): void => {
    for (const word of foldedWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  };
  for (const { title, text } of passages) add(`${title} ${text}`);
  for (const phrases of concepts.values()) for (const list of Object.values(phrases)) list.forEach(add);
  for (const { say, law } of synonyms) [...say, ...law].forEach(add);
  for (const { texts: said } of signs) said.forEach(add);
  return counts;
}

/** Row by row to 8 bits: a row's largest value becomes 127. */
function quantised(rows: Float32Array, dimensions: number): TokenTable {
  const tokens = rows.length / dimensions;
  const table = new Int8Array(rows.length);
  const scales = new Float32Array(tokens);
  for (let row = 0; row < tokens; row++) {
    const values = rows.subarray(row * dimensions, (row + 1) * dimensions);
    const largest = values.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
    scales[row] = largest / 127;
    if (largest === 0) continue;
    for (const [i, value] of values.entries())
      table[row * dimensions + i] = Math.round((value / largest) * 127);
  }
  return { tokens, dimensions, quantised: table, scales };
}
