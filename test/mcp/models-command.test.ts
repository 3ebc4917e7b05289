/** `drivemcp models`, as a user runs it, and what is refused at its door. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { pack as createTar, type Header } from 'tar-stream';
import { sha256 } from '../../mcp/rules/retrieval/model-folder.js';
import { drivemcp } from '../helpers/command.js';
import { noOnnxRuntime, writeTinyEncoder } from '../helpers/tiny-encoder.js';

type Entry = readonly [Partial<Header> & { readonly name: string }, (string | Buffer)?];

function place(t: Test) {
  const root = t.testdir();
  const state = join(root, 'state');
  const models = (args: readonly string[]) =>
    drivemcp(['models', ...args, '--state', state, '--json'], { cwd: root });
  return { root, state, models, tiny: writeTinyEncoder(join(root, 'tiny')) };
}

const errorOf = (stderr: string): Record<string, unknown> =>
  (JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}') as { error: Record<string, unknown> }).error;

t.test('install, list, check, remove', async (t) => {
  const { state, models, tiny } = place(t);
  const installed = await models(['install', tiny]);
  t.equal(installed.code, 0, installed.stderr);
  t.match(installed.objects(), [{ name: 'tiny', licence: 'Apache-2.0', pinned_here: false }]);
  t.same(readdirSync(join(state, 'models')), ['tiny'], 'nothing is left beside it');
  const again = await models(['install', 'tiny']);
  t.equal(again.code, 0, 'the same again takes its place');
  const listed = (await models(['list'])).objects();
  t.match(
    listed.find(({ name }) => name === 'tiny'),
    { state: 'installed' },
  );
  t.match(
    listed.find(({ name }) => name === 'subword'),
    { state: 'built-in' },
  );
  t.equal(listed.filter(({ is_default: isDefault }) => isDefault).length, 1);
  const checked = await models(['check', 'tiny']);
  if (noOnnxRuntime === false) t.match(checked.objects(), [{ ok: true, dimensions: 16 }]);
  else t.match([checked.code, errorOf(checked.stderr)], [69, { code: 'ENCODER_UNAVAILABLE' }]);
  writeFileSync(join(state, 'models', 'tiny', 'model.onnx'), 'damaged');
  const damaged = await models(['check', 'tiny']);
  t.match([damaged.code, errorOf(damaged.stderr)], [78, { code: 'MODEL_INVALID' }]);
  t.match((await models(['remove', 'tiny'])).objects(), [{ removed: true }]);
  t.equal((await models(['remove', 'tiny'])).code, 1);
  t.equal((await models(['remove', '../tiny'])).code, 1);
  t.equal((await models(['check', 'tiny'])).code, 69);
});

t.test('a published encoder: what to fetch, then its digests', async (t) => {
  const { root, models, tiny } = place(t);
  const name = 'all-minilm-l6-v2';
  const absent = await models(['install', name]);
  t.match([absent.code, errorOf(absent.stderr)], [69, { code: 'FILE_MISSING', hint: /SHA256SUMS/ }]);
  t.match(
    (await models(['list'])).objects().find((one) => one['name'] === name),
    { state: 'known' },
  );
  const folder = join(root, name);
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  const bytes = {
    'onnx/model.onnx': readFileSync(join(tiny, 'model.onnx')),
    'tokenizer.json': readFileSync(join(tiny, 'tokenizer.json')),
  };
  for (const [file, data] of Object.entries(bytes)) writeFileSync(join(folder, file), data);
  const bare = await models(['install', name]);
  t.match([bare.code, errorOf(bare.stderr)], [78, { message: /nobody says/ }]);
  const sums = (extra = ''): string =>
    Object.entries(bytes)
      .map(([file, data]) => `${sha256(data)}  ${file}${extra}\n`)
      .join('');
  writeFileSync(join(folder, 'SHA256SUMS'), sums());
  t.match((await models(['install', name])).objects(), [{ name, pinned_here: false }]);
  writeFileSync(join(folder, 'SHA256SUMS'), sums('.gz'));
  t.match(errorOf((await models(['install', name])).stderr), { message: /names no digest of model.onnx/ });
  writeFileSync(join(folder, 'SHA256SUMS'), sums().replace(/^[0-9a-f]{8}/gm, '00000000'));
  t.match(errorOf((await models(['install', name])).stderr), { message: /has the digest/ });
  renameSync(join(folder, 'SHA256SUMS'), join(folder, 'sums'));
  t.match((await models(['install', name, '--pin'])).objects(), [{ pinned_here: true }]);
  const wrong = await models(['check', name]);
  t.not(wrong.code, 0, 'its vectors do not have the length that is published');
});

t.test('from a tar; hostile ones are refused by name', async (t) => {
  const { root, state, models, tiny } = place(t);
  const tar = async (name: string, entries: readonly Entry[]): Promise<string> => {
    const archive = createTar();
    for (const [header, data] of entries) archive.entry(header as Header, data ?? '');
    archive.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of archive) chunks.push(chunk as Buffer);
    writeFileSync(join(root, name), Buffer.concat(chunks));
    return join(root, name);
  };
  const files = ['model.json', 'model.onnx', 'tokenizer.json'].map(
    (name): Entry => [{ name: `tiny/${name}` }, readFileSync(join(tiny, name))],
  );
  t.equal((await models(['install', await tar('good.tar', files)])).code, 0);
  spawnSync('gzip', ['-k', join(root, 'good.tar')]);
  t.equal((await models(['install', join(root, 'good.tar.gz')])).code, 0);
  const hostile: Record<string, readonly Entry[]> = {
    'leads out of the model': [[{ name: '../../model.json' }, '{}']],
    'is a symlink': [...files, [{ name: 'x', type: 'symlink', linkname: '/etc/passwd' }]],
    'stands twice': [...files, [{ name: 'model.json' }, '{}']],
    'lacks this file': files.slice(0, 2),
  };
  for (const [says, entries] of Object.entries(hostile)) {
    const { code, stderr } = await models(['install', await tar('bad.tar', entries)]);
    t.ok(code === 78 || code === 69, says);
    t.match(errorOf(stderr), { message: new RegExp(says) });
  }
  writeFileSync(join(root, 'bad.tar'), readFileSync(join(root, 'good.tar')).subarray(0, 3000));
  t.match(errorOf((await models(['install', join(root, 'bad.tar')])).stderr), { code: 'MODEL_INVALID' });
  const linked = writeTinyEncoder(join(root, 'linked'));
  renameSync(join(linked, 'model.onnx'), join(root, 'elsewhere'));
  symlinkSync(join(root, 'elsewhere'), join(linked, 'model.onnx'));
  t.match(errorOf((await models(['install', linked])).stderr), { message: /is a link/ });
  const named = writeTinyEncoder(join(root, 'named'), { manifest: { name: '../../out' } });
  t.match(errorOf((await models(['install', named])).stderr), {
    code: 'MODEL_INVALID',
    message: /a name of lower-case letters/,
  });
  t.notOk(existsSync(join(root, 'out')));
  t.same(readdirSync(join(state, 'models')), ['tiny']);
});
