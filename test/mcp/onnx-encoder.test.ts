/** Sentence encoders run by the real runtime in a real worker, and everything that can be wrong with them. */
import { renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { DriveMcpError } from '../../daemon/core/errors.js';
import { encoderQueue, OnnxEncoder, workerRestartsMaxCount } from '../../mcp/rules/retrieval/onnx-encoder.js';
import { openEncoder } from '../../mcp/rules/retrieval/open-encoder.js';
import { cosine } from '../../mcp/rules/retrieval/unit-vector.js';
import { tableGraph, tokenVectorGraph } from '../../scripts/encoder/table-graph.js';
import { wordPieceFile } from '../../scripts/encoder/word-piece-file.js';
import {
  noOnnxRuntime,
  type TinyEncoderFiles,
  tinyDimensions,
  tinyModel,
  tinyTable,
  tinyVocabulary,
  writeTinyEncoder,
} from '../helpers/tiny-encoder.js';

const needs = { skip: noOnnxRuntime };
const workerThat = (behaves: string): URL => new URL(`../fixtures/encoder/${behaves}.js`, import.meta.url);

async function opened(t: Test, files: TinyEncoderFiles = {}): Promise<OnnxEncoder> {
  const encoder = await OnnxEncoder.open({ folder: writeTinyEncoder(join(t.testdir(), 'tiny'), files) });
  t.teardown(() => encoder.close());
  return encoder;
}

t.test('vectors have length one, come again the same, alone and in a batch', needs, async (t) => {
  const encoder = await opened(t);
  const text = fc
    .array(fc.constantFrom(...tinyVocabulary.slice(1, -3), 'unknownword', '§ 3', 'Überholen'), {
      maxLength: 60,
    })
    .map((words) => words.join(' '));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 40 }), async (texts) => {
      const together = await encoder.encode(texts);
      if (together.length !== texts.length) return false;
      for (const [at, vector] of together.entries()) {
        const [alone] = await encoder.encode([texts[at] ?? '']);
        if (!alone || vector.length !== tinyDimensions) return false;
        if (vector.some((value, i) => !Object.is(value, alone[i]))) return false;
        const length = Math.sqrt(cosine(vector, vector));
        if (length !== 0 && Math.abs(length - 1) > 1e-6) return false;
      }
      return true;
    }),
    { numRuns: 25 },
  );
  t.equal(encoder.counters.crashes, 0);
  await encoder.encode(['town '.repeat(40)]);
  t.ok(encoder.counters.cutTexts > 0, 'texts over 32 tokens were cut and counted');
});

t.test('means nothing to it: the zero vector', needs, async (t) => {
  const encoder = await opened(t);
  for (const vector of await encoder.encode(['', '   ', 'qqq zzz']))
    t.ok(vector.every((value) => value === 0));
});

t.test(
  'mean pooling by hand equals pooling in the graph; prefixes are put before a text',
  needs,
  async (t) => {
    const inGraph = await opened(t);
    const prefixed = await opened(t, { manifest: { query_prefix: 'speed limit ', passage_prefix: 'rain ' } });
    const byHand = await opened(t, {
      model: tokenVectorGraph(tinyTable(), 'tokens'),
      manifest: { pooling: 'mean', output: 'last_hidden_state' },
    });
    const texts = ['speed limit in town when wet', 'tempo', 'regen und schnee', 'zzz'];
    const [pooled, counted] = [await inGraph.encode(texts), await byHand.encode(texts)];
    for (const [at, vector] of pooled.entries()) {
      t.ok(vector.every((value, i) => Math.abs(value - (counted[at]?.[i] ?? 9)) < 1e-6));
    }
    const [a] = await inGraph.encode(['speed limit town']);
    const [b] = await prefixed.encode(['town'], 'query');
    const [c] = await prefixed.encode(['town']);
    const [d] = await inGraph.encode(['rain town']);
    t.same(a, b);
    t.same(c, d);
    t.not(inGraph.id, prefixed.id, 'another prefix is another encoder');
  },
);

const corpus: Readonly<Record<string, { files: TinyEncoderFiles; says: RegExp; code?: string }>> = {
  'no ONNX at all': {
    files: { model: Buffer.from('PK\u0003\u0004 nonsense') },
    says: /not an ONNX model that loads/,
  },
  'an empty model': {
    files: { model: new Uint8Array() },
    says: /not an ONNX model that loads|no such input/,
  },
  'half of a model': { files: { model: tinyModel().slice(0, 700) }, says: /not an ONNX model that loads/ },
  'values that are no numbers': { files: { model: tinyModel(Number.NaN) }, says: /no finite number/ },
  'infinite values': { files: { model: tinyModel(Number.POSITIVE_INFINITY) }, says: /no finite number/ },
  'another number of dimensions': {
    files: { manifest: { dimensions: 384 } },
    says: /vectors of 16 numbers, the manifest says 384/,
  },
  'pooling that does not fit': {
    files: { manifest: { pooling: 'mean' } },
    says: /2 axes; with pooling mean there are 3/,
  },
  'an output that is not there': {
    files: { manifest: { output: 'last_hidden_state' } },
    says: /no such output, only sentence_embedding/,
  },
  'a tokenizer that is no JSON': { files: { tokenizer: '{"model":' }, says: /not a tokenizer that loads/ },
  'a tokenizer without a model': { files: { tokenizer: '{}' }, says: /not a tokenizer that loads/ },
  'ids beyond the table': {
    files: {
      tokenizer: wordPieceFile(['[UNK]', ...Array.from({ length: 900 }, (_, i) => `w${i}`), 'the', '.']),
    },
    says: /does not run on \d+ tokens/,
  },
  'one vector for everything': {
    files: {
      model: tableGraph(
        {
          tokens: 60,
          dimensions: 16,
          quantised: new Int8Array(960).fill(3),
          scales: new Float32Array(60).fill(1),
        },
        'same',
      ),
    },
    says: /same vector for unrelated texts/,
  },
  'a manifest with another key': { files: { manifest: { url: 'x' } }, says: /Unrecognized key/ },
  'a manifest that is no encoder': { files: { manifest: { kind: 'detector' } }, says: /encoder/ },
  'a digest of another file': {
    files: { manifest: { files: { 'model.onnx': 'ab'.repeat(32), 'tokenizer.json': 'cd'.repeat(32) } } },
    says: /has the digest [0-9a-f]{64}, not that of the manifest/,
  },
};

for (const [name, { files, says }] of Object.entries(corpus)) {
  t.test(`refused with file and cause: ${name}`, needs, async (t) => {
    const folder = writeTinyEncoder(join(t.testdir(), 'bad'), files);
    const error = await OnnxEncoder.open({ folder }).catch((error: DriveMcpError) => error);
    t.match(error, { code: 'MODEL_INVALID', message: says, location: { file: new RegExp(`^${folder}`) } });
  });
}

t.test('a file that was cut, is a link or is gone', needs, async (t) => {
  const fails = (folder: string) => OnnxEncoder.open({ folder }).catch((error: DriveMcpError) => error);
  const cut = writeTinyEncoder(join(t.testdir(), 'cut'));
  truncateSync(join(cut, 'model.onnx'), 100);
  t.match(await fails(cut), { code: 'MODEL_INVALID', location: { key: 'sha256' } });
  const linked = writeTinyEncoder(join(t.testdir(), 'linked'));
  renameSync(join(linked, 'model.onnx'), join(linked, 'else'));
  symlinkSync('else', join(linked, 'model.onnx'));
  t.match(await fails(linked), { code: 'MODEL_INVALID', message: /is a link/ });
  rmSync(join(linked, 'model.onnx'));
  t.match(await fails(linked), { code: 'FILE_MISSING', location: { file: join(linked, 'model.onnx') } });
});

t.test(
  'a model that changes under a running encoder is noticed when its worker starts again',
  needs,
  async (t) => {
    const folder = writeTinyEncoder(join(t.testdir(), 'tiny'));
    const encoder = await OnnxEncoder.open({
      folder,
      deadlineMs: 300,
      workerUrl: workerThat('dies-on-asking'),
    });
    t.teardown(() => encoder.close());
    await t.rejects(encoder.encode(['die']), { code: 'ENCODER_UNAVAILABLE' });
    writeFileSync(join(folder, 'tokenizer.json'), 'changed');
    await t.rejects(encoder.encode(['tempo']), { code: 'MODEL_INVALID', message: /digest/ });
  },
);

t.test(
  'a worker that dies is started again, a bounded number of times, then the encoder is off',
  needs,
  async (t) => {
    const folder = writeTinyEncoder(join(t.testdir(), 'tiny'));
    const encoder = await OnnxEncoder.open({ folder, workerUrl: workerThat('dies-on-asking') });
    t.teardown(() => encoder.close());
    await t.rejects(encoder.encode(['die']), { code: 'ENCODER_UNAVAILABLE', message: /gone/ });
    const [vector] = await encoder.encode(['tempo']);
    t.equal(vector?.length, tinyDimensions, 'the next call has a worker again');
    for (let i = 0; i <= workerRestartsMaxCount; i++) {
      await t.rejects(encoder.encode(['die']), { code: 'ENCODER_UNAVAILABLE', message: /gone/ });
    }
    await t.rejects(encoder.encode(['tempo']), { code: 'ENCODER_UNAVAILABLE', message: /it is off/ });
    t.match(encoder.counters, {
      crashes: workerRestartsMaxCount + 2,
      restarts: workerRestartsMaxCount + 1,
      state: 'off',
    });
  },
);

t.test('a worker that hangs is given up at its deadline', async (t) => {
  const folder = writeTinyEncoder(join(t.testdir(), 'tiny'));
  const encoder = await OnnxEncoder.open({ folder, deadlineMs: 50, workerUrl: workerThat('hangs') });
  t.teardown(() => encoder.close());
  await t.rejects(encoder.encode(['tempo']), {
    code: 'ENCODER_UNAVAILABLE',
    message: /not answered for 50 ms/,
  });
  t.match(encoder.counters, { hangs: 1, crashes: 0 });
});

t.test('the queue has a bound, and closing ends every call', async (t) => {
  const folder = writeTinyEncoder(join(t.testdir(), 'tiny'));
  const encoder = await OnnxEncoder.open({ folder, workerUrl: workerThat('hangs') });
  const calls = Array.from({ length: encoderQueue.callsMaxCount + 5 }, () =>
    encoder.encode(['tempo']).then(
      () => 'vectors',
      (error: DriveMcpError) => error.message,
    ),
  );
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(encoder.counters.refusedCalls, 5);
  await encoder.close();
  const said = await Promise.all(calls);
  t.equal(said.filter((message) => /are waiting/.test(message)).length, 5);
  t.equal(said.filter((message) => /was closed/.test(message)).length, encoderQueue.callsMaxCount);
  await t.rejects(encoder.encode(['tempo']), { message: /was closed/ });
});

t.test('a worker that ends, fails or says nothing while it loads', async (t) => {
  const folder = writeTinyEncoder(join(t.testdir(), 'tiny'));
  await t.rejects(OnnxEncoder.open({ folder, workerUrl: workerThat('ends') }), {
    code: 'ENCODER_UNAVAILABLE',
    message: /ended while/,
  });
  await t.rejects(OnnxEncoder.open({ folder, workerUrl: workerThat('throws') }), {
    code: 'ENCODER_UNAVAILABLE',
    message: /out of order/,
  });
  await t.rejects(OnnxEncoder.open({ folder, loadDeadlineMs: 50, workerUrl: workerThat('says-nothing') }), {
    code: 'ENCODER_UNAVAILABLE',
    message: /within 50 ms/,
  });
});

t.test('without the optional runtime: said, and the sub-word encoder in its place', async (t) => {
  const stateDir = t.testdir();
  writeTinyEncoder(join(stateDir, 'models', 'tiny'));
  const reasons: DriveMcpError[] = [];
  const absent = { stateDir, runtime: 'onnxruntime-that-is-absent' };
  const encoder = await openEncoder('tiny', { ...absent, onFallback: (reason) => reasons.push(reason) });
  t.match(encoder.id, /^subword-/);
  t.match(reasons, [{ code: 'ENCODER_UNAVAILABLE', message: /onnxruntime-that-is-absent is not installed/ }]);
  await t.rejects(openEncoder('tiny', absent), { code: 'ENCODER_UNAVAILABLE' });
  await t.rejects(openEncoder('../tiny', absent), { code: 'MODEL_UNKNOWN' });
  await t.rejects(openEncoder('nothing', { stateDir: null }), { code: 'MODEL_UNKNOWN' });
});
