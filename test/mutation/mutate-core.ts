/**
 * Mutation run over the safety quantities and the arbiter: each mutant must make a test fail. Long (about two
 * seconds a mutant), hence no part of the suite:
 *
 *   node dist/test/mutation/mutate-core.js [--only SUBSTRING] [--every N] [--list]
 *
 * Works on a copy of the build. Prints survivors with file and line of the compiled source; exit code 1 where
 * there are any that are not known to change nothing.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { equivalentMutants } from './equivalent-mutants.js';
import { type Mutation, mutationPoints } from './mutation-points.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
  },
});

/** Fastest first: most mutants fall at the first file that knows them. */
const testFiles = ['rss', 'traction', 'params', 'arbiter', 'health', 'safety', 'step-feedback'].map(
  (name) => `test/core/${name}.test.js`,
);
const testTimeoutMs = 60_000;

const root = mkdtempSync(join(tmpdir(), 'drivemcp-mutation-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(130));
cpSync(packageFile('dist'), join(root, 'dist'), { recursive: true });
cpSync(packageFile('package.json'), join(root, 'package.json'));
symlinkSync(packageFile('node_modules'), join(root, 'node_modules'));

/** Asynchronous, so that a signal ends the run between two mutants and the copy is removed. */
function passes(test: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'dist', test)], {
      timeout: testTimeoutMs,
      stdio: 'ignore',
      env: { ...process.env, TAP_BAIL: '1' },
    });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}

/** Which test knows a concept best. */
const knowers: readonly (readonly [file: RegExp, test: string])[] = [
  [/health/, 'health'],
  [/feedback/, 'step-feedback'],
  [/^arbiter/, 'arbiter'],
  [/^params/, 'params'],
  [/rss-/, 'rss'],
  [/friction-estimate|target-speed/, 'traction'],
  [/./, 'safety'],
];

/** The test that notices, or null; the one of the same concept is asked first. */
async function killer(file: string): Promise<string | null> {
  const knower = knowers.find(([pattern]) => pattern.test(file))?.[1] ?? 'safety';
  const first = `test/core/${knower}.test.js`;
  for (const test of [first, ...testFiles.filter((name) => name !== first)]) {
    if (!(await passes(test))) return test;
  }
  return null;
}

const folders = ['safety', 'safety/health', 'arbiter', 'params'];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, 'dist/daemon/core', folder))
    .filter((name) => name.endsWith('.js') && `${folder}/${name}`.includes(values.only))
    // Tables of numbers are checked by value, not by mutation.
    .filter((name) => !name.endsWith('-params.js') && name !== 'definition.js')
    .map((name) => `${folder}/${name}`),
);

const every = Math.max(1, Math.floor(Number(values.every)) || 1);
const work: { file: string; mutation: Mutation; key: string }[] = [];
for (const file of files) {
  const source = readFileSync(join(root, 'dist/daemon/core', file), 'utf8');
  for (const mutation of mutationPoints(source))
    work.push({ file, mutation, key: `${file}: ${mutation.says}` });
}
const chosen = work.filter((_, i) => i % every === 0);

async function run(): Promise<number> {
  const unmutated = await killer('');
  if (unmutated !== null) {
    process.stderr.write(`${unmutated} fails without any mutation\n`);
    return 2;
  }
  let [killed, known] = [0, 0];
  const survivors: string[] = [];
  for (const [i, { file, mutation, key }] of chosen.entries()) {
    const path = join(root, 'dist/daemon/core', file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, source.slice(0, mutation.start) + mutation.replacement + source.slice(mutation.end));
    const test = await killer(file);
    writeFileSync(path, source);
    if (test !== null) killed++;
    else if (equivalentMutants.some(([text]) => key.startsWith(text))) known++;
    else {
      survivors.push(`${file}:${mutation.line}  ${mutation.says}`);
      process.stdout.write(`survived  ${file}:${mutation.line}  ${mutation.says}\n`);
    }
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${i + 1}/${chosen.length} ${file}`);
  }
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  process.stdout.write(
    `${chosen.length} mutants of ${work.length}: ${killed} noticed, ${known} known to change nothing, ${survivors.length} survived\n`,
  );
  return survivors.length > 0 ? 1 : 0;
}

if (values.list) for (const { key } of chosen) process.stdout.write(`${key}\n`);
else process.exitCode = await run();
