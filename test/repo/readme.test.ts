/** The README is held against what it talks about. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { asCallable } from '../../daemon/cli/command-name.js';
import { commandGroups } from '../../daemon/cli/registry.js';
import { packageFile } from '../../daemon/runtime/package-root.js';

const readme = readFileSync(packageFile('README.md'), 'utf8');

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

t.test('the table of named packages says what package.json says', async (t) => {
  const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as Manifest;
  const section = readme.slice(readme.indexOf('## Packages the design names'), readme.indexOf('## More'));
  const rows = [...section.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map((match) => ({
    name: match[1] ?? '',
    role: match[2]?.trim() ?? '',
    state: match[3]?.trim() ?? '',
  }));
  t.same(rows.map((row) => row.name).sort(), [
    '@modelcontextprotocol/sdk',
    'better-sqlite3',
    'mqtt',
    'node-gyp',
    'obd-parser',
    'onnxruntime-node',
    'pino',
    'socketcan',
    'tap',
    'typescript',
  ]);
  const places: Record<string, Record<string, string>> = {
    dependency: manifest.dependencies,
    devDependency: manifest.devDependencies,
    optionalDependency: manifest.optionalDependencies ?? {},
  };
  for (const row of rows) {
    t.ok(row.role.length > 5, `${row.name} has a role`);
    const place = places[row.state];
    if (place) t.ok(place[row.name], `${row.name} is a ${row.state}`);
    else {
      t.match(row.state, /^comes with /, `${row.name}: ${row.state}`);
      for (const [kind, names] of Object.entries(places))
        t.notOk(names[row.name], `${row.name} is no ${kind} yet`);
    }
  }
  for (const version of Object.values(places).flatMap((place) => Object.values(place))) {
    t.match(version, /^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/, 'exact versions');
  }
});

t.test('every command it names exists, and every command is named', async (t) => {
  const existing = new Set<string>();
  for (const group of commandGroups) for (const spec of await group.load()) existing.add(spec.path.join(' '));
  const named = new Set<string>();
  for (const match of readme.matchAll(/(?:scripts\/drivemcp|^drivemcp) ([a-z]+)(?: ([a-z-]+))?/gm)) {
    const two = `${match[1]} ${match[2] ?? ''}`.trim();
    const found = existing.has(two) ? two : match[1]!;
    t.ok(existing.has(found), `${two} exists`);
    named.add(found);
  }
  const table = readme.slice(readme.indexOf('## Commands'), readme.indexOf('## What it decides'));
  for (const group of commandGroups) t.ok(table.includes(`\`${group.name}`), `${group.name} is in the table`);
});

t.test('the run it prints is the pinned one', async (t) => {
  const pin = readFileSync(packageFile('hil', 'drives', 'border-rain-braking.pin.json'), 'utf8');
  const printed = /^decision hash +([0-9a-f]{64})$/m.exec(readme)?.[1] ?? 'no hash';
  t.equal(printed, (JSON.parse(pin) as { decision_hash: string }).decision_hash);
});

t.test('help prints every command as it can be typed in a checkout', async (t) => {
  for (const { name } of commandGroups) {
    t.not(asCallable(`drivemcp ${name} x`), `drivemcp ${name} x`, name);
  }
});

t.test('files it links to are there', async (t) => {
  for (const [, path] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
    t.doesNotThrow(() => readFileSync(packageFile(path!)), `${path}`);
  }
});
