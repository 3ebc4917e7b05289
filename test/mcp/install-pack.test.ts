/** Packs as they come from anywhere: what is installed is verified and whole, and what is hostile is refused by name. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import t, { type Test } from 'tap';
import { pack as createTar, type Header } from 'tar-stream';
import type { DriveMcpError } from '../../daemon/core/errors.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { writeBuilt } from '../../mcp/rules/authoring/build-pack.js';
import { initPack } from '../../mcp/rules/authoring/init-pack.js';
import { loadRulepack, loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { installPack, readPack, removePack } from '../../mcp/rules/install/install-pack.js';
import { readPackSet } from '../../mcp/rules/install/installed-packs.js';
import { packFindings } from '../../mcp/rules/install/pack-findings.js';
import { readPackFolder } from '../../mcp/rules/integrity/pack-files.js';
import { lockText } from '../../mcp/rules/integrity/pack-lock.js';
import { readTrust, signatureText } from '../../mcp/rules/integrity/signature.js';
import { generateKeyFiles, readPrivateKey } from '../../mcp/rules/integrity/signing-keys.js';
import { drivemcpScript } from '../helpers/paths.js';

const builtIn = packageFile('rulepacks');
const packs = loadRulepacks(builtIn);
const today = '2026-12-01';

/** A signed pack for a town, a state directory that trusts its key. */
function town(t: Test, edit: (folder: string) => void = () => {}) {
  const root = t.testdir();
  const folder = join(root, 'town');
  const stateDir = join(root, 'state');
  mkdirSync(stateDir);
  const base = packs.get('DEU');
  if (!base) throw new Error('no pack DEU');
  initPack(folder, { id: 'DEU-TOWN', base, title: 'Order', limit: 30, today });
  edit(folder);
  const sign = (): void => {
    writeBuilt(loadRulepack(folder, packs));
    const lock = readFileSync(join(folder, 'pack.lock'));
    writeFileSync(join(folder, 'pack.sig'), signatureText(lock, readPrivateKey(join(root, 'key'))));
  };
  const { line } = generateKeyFiles(join(root, 'key'), 'Road office');
  writeFileSync(join(stateDir, 'trusted-keys'), line);
  const install = (
    options: { from?: string; allowUnsigned?: boolean; allowDowngrade?: boolean; today?: string } = {},
  ) =>
    installPack({
      from: folder,
      stateDir,
      trust: readTrust(stateDir),
      allowUnsigned: false,
      allowDowngrade: false,
      packs: new Map([...readPackSet(builtIn, stateDir).packs].map(([id, one]) => [id, one.pack])),
      today,
      ...options,
    });
  return { root, folder, stateDir, sign, install };
}

function replaceIn(file: string, from: string | RegExp, to: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'installed',
    (error: DriveMcpError) => `${error.code}: ${error.message}`,
  );

t.test('signed, changed, unsigned, revoked, older', async (t) => {
  const { folder, stateDir, sign, install, root } = town(t);
  t.match(await code(install()), /UNTRUSTED: it has no pack.lock/);
  sign();
  const first = await install();
  t.match(first, { id: 'DEU-TOWN', before: null, signature: { state: 'signed', name: 'Road office' } });
  t.equal(readlinkSync(join(stateDir, 'rulepacks', 'DEU-TOWN')), `.versions/${first.version}`);

  replaceIn(join(folder, 'rules', 'speed.yaml'), 'certainty: C', 'certainty: A');
  t.match(await code(install()), /UNTRUSTED: rules\/speed.yaml is changed since pack.lock was built/);
  t.match(await code(install({ allowUnsigned: true })), /UNTRUSTED/, 'a changed pack is not an unsigned one');
  replaceIn(join(folder, 'pack.yaml'), 'version: 0.1.0', 'version: 0.2.0');
  sign();
  t.match(await install(), { before: first.version });
  t.same(readdirSync(join(stateDir, 'rulepacks', '.versions')).length, 1, 'the old version is gone');

  replaceIn(join(folder, 'pack.yaml'), 'version: 0.2.0', 'version: 0.1.5');
  sign();
  t.match(await code(install()), /DOWNGRADE: DEU-TOWN@0.1.5\S+ is older than DEU-TOWN@0.2.0/);
  t.match(await install({ allowDowngrade: true }), { isDowngrade: true });

  const keyId = readPrivateKey(join(root, 'key')).id;
  writeFileSync(join(stateDir, 'revoked-keys'), `${keyId} lost\n`);
  t.match(await code(install({ allowUnsigned: true })), /UNTRUSTED: key \S+ was revoked: lost/);
  const set = readPackSet(builtIn, stateDir);
  t.notOk(set.packs.has('DEU-TOWN'), 'a revocation works on what is installed already');
  t.match(packFindings(set, today), [{ id: 'DEU-TOWN', status: 'FAIL', code: 'refused' }]);

  writeFileSync(join(stateDir, 'revoked-keys'), '');
  writeFileSync(join(stateDir, 'trusted-keys'), '');
  t.equal(readPackSet(builtIn, stateDir).packs.get('DEU-TOWN')?.pack.isUnsigned, true);
  t.ok(removePack(stateDir, 'DEU-TOWN'));
  t.equal(removePack(stateDir, 'DEU-TOWN'), null);
});

t.test('packs that do not hold together are refused, and told where they lie', async (t) => {
  const cases: readonly [string, (folder: string) => void, RegExp][] = [
    [
      'law of the future',
      (f) => replaceIn(join(f, 'pack.yaml'), `law_as_of: ${today}`, 'law_as_of: 2027-01-01'),
      /in the future/,
    ],
    ['base out of range', (f) => replaceIn(join(f, 'pack.yaml'), />=[\d.]+/, '>=1.99.0'), /needs DEU/],
    ['no base', (f) => replaceIn(join(f, 'pack.yaml'), 'id: DEU, range', 'id: XXX, range'), /XXX/],
    [
      'extends itself',
      (f) => replaceIn(join(f, 'pack.yaml'), /id: DEU, range: ">=[\d.]+/, 'id: DEU-TOWN, range: ">=0.1.0'),
      /not there|in turn/,
    ],
    [
      'YAML aliases',
      (f) => replaceIn(join(f, 'pack.yaml'), 'maintainers: [you]', 'maintainers: [&a you, *a]'),
      /./,
    ],
    [
      'prototype keys',
      (f) => replaceIn(join(f, 'pack.yaml'), 'maintainers:', '__proto__: {}\nmaintainers:'),
      /./,
    ],
    ['an id that leads out', (f) => replaceIn(join(f, 'pack.yaml'), 'id: DEU-TOWN', 'id: ../../DEU'), /./],
    [
      'deep nesting',
      (f) =>
        replaceIn(
          join(f, 'rules', 'speed.yaml'),
          '{ road_class: urban }',
          `${'{ not: '.repeat(400)}{ road_class: urban }${' }'.repeat(400)}`,
        ),
      /./,
    ],
    ['nesting beyond the stack', (f) => writeFileSync(join(f, 'rules', 'b.yaml'), '['.repeat(200_000)), /./],
    ['a number that the text lacks', (f) => replaceIn(join(f, 'docs', 'order.md'), 'is 30', 'is 300'), /30/],
    [
      'the same rule twice',
      (f) => writeFileSync(join(f, 'rules', 'b.yaml'), readFileSync(join(f, 'rules', 'speed.yaml'))),
      /twice/,
    ],
    ['not UTF-8', (f) => writeFileSync(join(f, 'docs', 'b.md'), Buffer.from([0x2d, 0xff, 0xfe])), /UTF-8/],
    [
      '10 MB of YAML',
      (f) => writeFileSync(join(f, 'rules', 'b.yaml'), `# ${'x'.repeat(10_000_000)}`),
      /larger/,
    ],
    ['a link', (f) => symlinkSync('/etc/passwd', join(f, 'docs', 'b.md')), /link/],
    ['a hidden file', (f) => writeFileSync(join(f, '.profile'), 'x'), /leading dot/],
  ];
  for (const [name, edit, expected] of cases) {
    const { install, stateDir } = town(t, edit);
    const told = await code(install({ allowUnsigned: true }));
    t.match(told, /^RULEPACK_INVALID: /, name);
    t.match(told, expected, `${name}: ${told.slice(0, 120)}`);
    t.notMatch(told, /\.new-/, `${name}: not where it lay for a moment`);
    t.same(readPackSet(builtIn, stateDir).packs.size, packs.size, `${name}: nothing is installed`);
  }
});

t.test('archives', async (t) => {
  const { root, folder, sign, install } = town(t);
  sign();
  const good = [...readPackFolder(folder)].map(([path, bytes]): Entry => [{ name: `mytown/${path}` }, bytes]);
  t.match(await code(install({ from: await tar(root, 'good.tgz', good) })), 'installed');
  t.match(await code(install({ from: await tar(root, 'good.tar', good, false) })), 'installed');
  const hostile: readonly [string, Entry[], RegExp][] = [
    ['traversal', [[{ name: 'mytown/../../evil' }, Buffer.from('x')]], /leads out/],
    ['absolute', [[{ name: '/etc/cron.d/evil' }, Buffer.from('x')]], /absolute/],
    [
      'symbolic link',
      [[{ name: 'mytown/docs/x.md', type: 'symlink', linkname: '/etc/passwd' }, null]],
      /symlink/,
    ],
    ['hard link', [[{ name: 'mytown/docs/x.md', type: 'link', linkname: 'pack.yaml' }, null]], /a link/],
    ['device', [[{ name: 'mytown/null', type: 'character-device' }, null]], /character-device/],
    ['FIFO', [[{ name: 'mytown/pipe', type: 'fifo' }, null]], /fifo/],
    ['twice', [[{ name: 'mytown/pack.yaml' }, Buffer.from('id: X')]], /twice/],
    ['twice where case is folded', [[{ name: 'mytown/PACK.yaml' }, Buffer.from('id: X')]], /twice/],
    ['a huge file', [[{ name: 'mytown/x.md' }, Buffer.alloc(2_000_000)]], /larger/],
    ['control characters', [[{ name: 'mytown/\u001b[2J.md' }, Buffer.from('x')]], /name/],
  ];
  for (const [name, entries, expected] of hostile)
    t.match(await code(readPack(await tar(root, 'bad.tgz', [...good, ...entries]))), expected, name);
  const bomb = Array.from({ length: 60 }, (_, i): Entry => [{ name: `z${i}.md` }, Buffer.alloc(1_000_000)]);
  t.match(
    await code(readPack(await tar(root, 'bomb.tgz', bomb))),
    /larger than|more than/,
    'a bomb of 60 MB',
  );
  const many = Array.from({ length: 5001 }, (_, i): Entry => [{ name: `z${i}.md` }, Buffer.alloc(0)]);
  t.match(await code(readPack(await tar(root, 'many.tgz', many))), /more than/, 'too many files');
  const whole = readFileSync(join(root, 'good.tgz'));
  writeFileSync(join(root, 'cut.tgz'), whole.subarray(0, whole.length / 2));
  t.match(await code(install({ from: join(root, 'cut.tgz') })), /RULEPACK_INVALID/, 'cut');
  writeFileSync(join(root, 'noise.tar'), Buffer.alloc(4096, 0xa5));
  t.match(await code(install({ from: join(root, 'noise.tar') })), /RULEPACK_INVALID|FILE_MISSING/, 'noise');
  writeFileSync(join(root, 'empty.tar'), '');
  t.match(await code(install({ from: join(root, 'empty.tar') })), /RULEPACK|FILE_MISSING/, 'empty');
  t.match(await code(install({ from: join(root, 'absent.tar') })), /FILE_MISSING/);
});

t.test('killed at any moment, an install leaves the old version or the new one', async (t) => {
  const { folder, stateDir, sign, install } = town(t);
  sign();
  const versions = [(await install()).version];
  replaceIn(join(folder, 'pack.yaml'), 'version: 0.1.0', 'version: 0.1.1');
  sign();
  versions.push(loadRulepack(folder, packs).version);
  for (let delayMs = 0; delayMs < 600; delayMs += 60) {
    const child = spawn(process.execPath, [
      drivemcpScript,
      'rules',
      'install',
      folder,
      '--state',
      stateDir,
      '--allow-downgrade',
    ]);
    const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
    await once(child, 'close');
    clearTimeout(timer);
    const found = readPackSet(builtIn, stateDir);
    t.ok(versions.includes(found.packs.get('DEU-TOWN')?.pack.version ?? ''), `killed after ${delayMs} ms`);
    t.same(found.refused, []);
  }
  t.equal((await install()).version, versions[1]);
  t.same(
    readdirSync(join(stateDir, 'rulepacks', '.versions')),
    [versions[1]],
    'what the killed ones left is gone',
  );
});

t.test('the lock of every shipped pack is that of its files', async (t) => {
  for (const id of packs.keys()) {
    const files = readPackFolder(join(builtIn, id));
    t.equal(
      files.get('pack.lock')?.toString('utf8'),
      lockText(files),
      `drivemcp rulepack build rulepacks/${id}`,
    );
  }
});

type Entry = [Partial<Header> & { name: string }, Buffer | null];

async function tar(root: string, name: string, entries: readonly Entry[], isGzip = true): Promise<string> {
  const archive = createTar();
  const file = join(root, name);
  const written = isGzip
    ? pipeline(archive as unknown as NodeJS.ReadableStream, createGzip(), createWriteStream(file))
    : pipeline(archive as unknown as NodeJS.ReadableStream, createWriteStream(file));
  for (const [header, bytes] of entries) {
    if (bytes === null) archive.entry(header);
    else archive.entry(header, bytes);
  }
  archive.finalize();
  await written;
  return file;
}
