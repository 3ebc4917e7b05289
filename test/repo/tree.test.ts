/** The shape of the repository: what may stand where, how long, under which name. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import t from 'tap';
import { errorCodes } from '../../daemon/core/errors.js';
import { packageFile, packageRoot } from '../../daemon/runtime/package-root.js';

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: packageRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '');
const source = tracked.filter((file) => /^(daemon|mcp|hil|native)\/.*\.(ts|cc|h)$/.test(file));
const read = (file: string): string => readFileSync(packageFile(file), 'utf8');
const lines = (file: string): number => read(file).split('\n').length - 1;

t.test('the top level holds what it is meant to hold', async (t) => {
  const allowed = new Set([
    ...['daemon', 'native', 'mcp', 'rulepacks', 'hil', 'systemd', 'scripts', 'test', '.ci', '.github'],
    ...[
      'package.json',
      'package-lock.json',
      'binding.gyp',
      'tsconfig.json',
      'biome.json',
      '.dependency-cruiser.cjs',
    ],
    ...[
      'README.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md',
      'LICENSE',
      'NOTICE',
    ],
    ...['.gitignore', '.npmrc', '.gitattributes', '.editorconfig'],
  ]);
  const found = new Set(tracked.map((file) => file.split('/')[0] ?? ''));
  t.same(
    [...found].filter((name) => !allowed.has(name)),
    [],
  );
});

t.test('files are small and named by concept', async (t) => {
  const sizes = source.map(lines).sort((a, b) => a - b);
  t.same(
    source.filter((file) => lines(file) > 400),
    [],
    'no source file over 400 lines',
  );
  t.ok(
    (sizes[Math.floor(sizes.length / 2)] ?? 0) <= 130,
    `median ${sizes[Math.floor(sizes.length / 2)]} lines`,
  );
  const banned = /^(utils?|helpers?|manager|misc|types|common|index)\.[a-z]+$/;
  t.same(
    source.filter((file) => banned.test(basename(file)) && file !== 'native/index.ts'),
    [],
  );
  t.same(
    source.filter((file) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(basename(file)) && !/\.(cc|h)$/.test(file)),
    [],
    'kebab-case',
  );
});

t.test('nothing is left half done or says where it was made', async (t) => {
  const unfinished = /\b(TODO|FIXME|XXX)\b|not implemented/;
  t.same(
    source.filter((file) => unfinished.test(read(file))),
    [],
  );
  const text = tracked.filter((file) =>
    /\.(ts|mjs|cjs|json|md|ya?ml|sh|py|toml|dbc)$|^scripts\/|^\.npmrc$/.test(file),
  );
  t.same(
    text.filter(
      (file) =>
        /"resolved":|registry\.npmjs|\/(root|home\/[a-z]+)\//.test(read(file)) &&
        file !== 'test/repo/tree.test.ts',
    ),
    [],
    'no hosts, no machine paths',
  );
});

t.test('every error code is raised somewhere', async (t) => {
  const all = source
    .filter((file) => file !== 'daemon/core/errors.ts')
    .map(read)
    .join('\n');
  t.same(
    Object.keys(errorCodes).filter((code) => !all.includes(`'${code}'`)),
    [],
  );
});

t.test('production packages are under permissive licences', async (t) => {
  const lock = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; license?: string }>;
  };
  const permissive =
    /^\(?(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|WTFPL)\b/;
  // libvips, a shared library that the optional package sharp loads, is LGPL: named in NOTICE, and nothing here needs it.
  const replaceable = /^node_modules\/@img\/sharp-/;
  const odd = Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && entry.dev !== true && !permissive.test(entry.license ?? ''))
    .filter(
      ([path, entry]) =>
        !(replaceable.test(path) && entry.optional === true && /LGPL/.test(entry.license ?? '')),
    )
    .map(([path, entry]) => `${path}: ${entry.license ?? 'unstated'}`);
  t.same(odd, []);
});
