/** The README's ten minutes, by its own words and with the built command; and a pack installed while a daemon runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { jsonSchemaFiles } from '../../mcp/rules/format/json-schemas.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';

t.test('a pack for your own town, line by line as the README says', async (t) => {
  const readme = readFileSync(packageFile('README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## A pack for your own town'));
  const lines = (/```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '').split('\n').filter(Boolean);
  t.ok(lines.length >= 10);
  const cwd = t.testdir();
  const state = join(cwd, 'state');
  const env = { DRIVEMCP_STATE: state };
  const town = join(cwd, 'mytown');
  const edit = (from: string, to: string): void => {
    for (const file of ['docs/order.md', 'rules/speed.yaml', 'tests/limits.yaml', 'tests/cites.yaml']) {
      const path = join(town, file);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
    }
  };
  for (const line of lines) {
    const words = (line.split(' #')[0]?.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
      word.replace(/^(["'])(.*)\1$/, '$2'),
    );
    if (words[0] === '$EDITOR') {
      edit('30', '40');
      edit(
        'In this town the limit',
        'By order of the council, which was put up on the board of the town hall for everybody to read, the limit',
      );
      const wrong = await drivemcp(['rulepack', 'build', 'mytown'], { cwd, env });
      t.equal(wrong.code, 78, 'the spans are those of the old text');
    } else if (words.includes('cat')) {
      await drivemcp(['rules', 'install', 'mytown', '--json'], { cwd, env }).then(({ code, stderr }) => {
        t.equal(code, 78);
        t.match(stderr, /RULEPACK_UNTRUSTED/);
      });
      writeFileSync(join(state, 'trusted-keys'), readFileSync(join(cwd, 'town.key.pub')));
    } else {
      const { code, stderr, stdout } = await drivemcp(words.slice(1), { cwd, env });
      t.equal(code, 0, `${line}\n${stderr}${stdout}`);
      if (words[2] === 'limit') t.match(stdout, /\b40 km\/h/, 'the limit of the town');
    }
  }
  const packs = (await drivemcp(['rules', 'packs', '--json'], { cwd, env })).objects();
  t.match(
    packs.find(({ id }) => id === 'DEU-MYTOWN'),
    { signature: { state: 'signed', name: 'Road office' } },
  );
  const doctor = await drivemcp(['rules', 'doctor', '--json'], { cwd, env });
  t.match(doctor.objects().at(-1), { summary: { fail: 0, warn: 0 } });

  await t.test('installed and removed while a daemon runs: both versions are on record', async (t) => {
    const removed = await drivemcp(['rules', 'remove', 'DEU-MYTOWN'], { cwd, env });
    t.equal(removed.code, 0);
    const child = spawn(process.execPath, [drivemcpScript, 'run', '--speed', '1', '--state', state], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    const ended = once(child, 'close');
    const statusTick = async (): Promise<unknown> =>
      (await drivemcp(['status', '--json'], { env })).objects()[0] ?? null;
    for (let tries = 0; tries < 100 && (await statusTick()) === null; tries++);
    const installed = (await drivemcp(['rules', 'install', 'mytown', '--json'], { cwd, env })).objects()[0];
    const records = async (): Promise<readonly { body: { changes: readonly unknown[] } }[]> =>
      (await drivemcp(['audit', 'show', '--kind', 'rulepack', '--json'], { env })).objects() as never;
    let found = await records();
    for (let tries = 0; tries < 60 && found.length === 0; tries++) found = await records();
    child.kill('SIGINT');
    await ended;
    t.match(found[0]?.body, {
      event: 'rulepacks_swapped',
      changes: [{ id: 'DEU-MYTOWN', old: null, new: installed?.['version'] }],
      refused: [],
    });
    t.equal((await drivemcp(['audit', 'verify'], { env })).code, 0);
    t.equal((await drivemcp(['replay', '--state', state])).code, 0, 'the answers are inputs: it replays');
  });
});

t.test(
  'the shipped packs: no lint error; tests and mutation check of some, those of all run in one process',
  async (t) => {
    const root = packageFile('rulepacks');
    const folders = readdirSync(root)
      .map((id) => join(root, id))
      .filter((folder) => existsSync(join(folder, 'pack.yaml')));
    const env = { DRIVEMCP_STATE: t.testdir() };
    const some = ['DEU', 'GBR', 'GBR-WLS', 'BEL-BRU', 'USA-CA'].map((id) => join(root, id));
    for (const [word, chosen] of [
      ['lint', folders],
      ['test', some],
      ['mutate', some],
    ] as const) {
      const { code, stdout, stderr } = await drivemcp(['rulepack', word, ...chosen, '--json'], { env });
      t.equal(code, 0, `rulepack ${word}: ${stderr}${stdout.slice(0, 2000)}`);
    }
  },
);

t.test('lint names every finding with its place', async (t) => {
  const cwd = t.testdir();
  const env = { DRIVEMCP_STATE: join(cwd, 'state') };
  await drivemcp(['rulepack', 'init', 'mytown', '--id', 'DEU-MYTOWN'], { cwd, env });
  const change = (file: string, from: string, to: string): void => {
    const path = join(cwd, 'mytown', file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  };
  change('rules/speed.yaml', 'value: 30', 'value: 300');
  change('pack.yaml', '    licence: { id: name-the-licence, attribution: null }\n', '');
  change('tests/limits.yaml', 'rule: deu', 'rule: dea');
  change(
    'tests/limits.yaml',
    '- { rule: de-mytown.speed.urban, holds: true',
    '- { rule: de-other, holds: true',
  );
  const lint = await drivemcp(['rulepack', 'lint', 'mytown', '--json'], { cwd, env });
  t.equal(lint.code, 1);
  const found = lint.objects();
  t.match(
    found.find(({ key }) => key === 'de-mytown.speed.urban'),
    { severity: 'error', file: /speed\.yaml$/, line: 1, message: /300/ },
  );
  t.match(
    found.find(({ key }) => key === 'sources.order'),
    { severity: 'error', message: /licence/ },
  );
  t.match(
    found.find(({ key }) => key === 'de-other'),
    { severity: 'error' },
  );
  change('rules/speed.yaml', 'kind: default_limit', 'kind: default');
  const wrongWord = (await drivemcp(['rulepack', 'lint', 'mytown', '--json'], { cwd, env })).objects();
  t.match(
    wrongWord.find(({ line }) => line === 2),
    { severity: 'error', key: '0.kind' },
  );
});

t.test('the published JSON Schemas are those that check (UPDATE_SCHEMAS=1 writes them)', async (t) => {
  for (const [name, text] of jsonSchemaFiles()) {
    const file = packageFile('rulepacks', 'schema', name);
    if (process.env['UPDATE_SCHEMAS']) writeFileSync(file, text);
    t.equal(readFileSync(file, 'utf8'), text, name);
  }
});
