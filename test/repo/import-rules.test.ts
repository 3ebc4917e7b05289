/** The rules about imports must be able to fail: each is broken once in a small tree of its own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';

function tree(root: string, files: Record<string, string>): string {
  for (const file of ['tsconfig.json', '.dependency-cruiser.cjs', 'package.json'])
    cpSync(packageFile(file), join(root, file));
  symlinkSync(packageFile('node_modules'), join(root, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const one = 'export const one = 1;\n';
const importing = (path: string): string => `import { one } from '${path}';\nexport const two = one + 1;\n`;

t.test('each import direction that is not allowed is reported', async (t) => {
  const root = tree(t.testdir(), {
    'daemon/core/a.ts': importing('../store/a.js'),
    'daemon/core/b.ts': "import { readFileSync } from 'node:fs';\nexport const two = readFileSync;\n",
    'daemon/core/ring-a.ts': "import { b } from './ring-b.js';\nexport const a = (): unknown => b;\n",
    'daemon/core/ring-b.ts': "import { a } from './ring-a.js';\nexport const b = (): unknown => a;\n",
    'daemon/store/a.ts': one,
    'daemon/vehicles/a.ts': importing('../runtime/a.js'),
    'daemon/runtime/a.ts': one,
    'daemon/sinks/a.ts': importing('../store/a.js'),
    'daemon/tools/a.ts': importing('../../hil/a.js'),
    'daemon/cli/a.ts': importing('../../mcp/rules/a.js'),
    'daemon/cli/fine.ts': "export const load = (): Promise<unknown> => import('../../mcp/rules/a.js');\n",
    'mcp/rules/a.ts': one,
    'mcp/can/a.ts': importing('../rules/a.js'),
    'mcp/weather/a.ts': importing('../../daemon/runtime/a.js'),
    'hil/a.ts': importing('../daemon/runtime/a.js'),
    'daemon/cli/oracle.ts': "export const load = (): Promise<unknown> => import('obd-parser');\n",
    'test/a.ts': one,
  });
  const run = spawnSync(
    process.execPath,
    [
      packageFile('node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'json',
      'daemon',
      'mcp',
      'hil',
      'test',
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  const report = JSON.parse(run.stdout) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  const found = new Set(report.summary.violations.map((violation) => violation.from));
  for (const file of [
    'daemon/core/a.ts',
    'daemon/core/b.ts',
    'daemon/core/ring-a.ts',
    'daemon/vehicles/a.ts',
    'daemon/sinks/a.ts',
    'daemon/tools/a.ts',
    'daemon/cli/a.ts',
    'mcp/can/a.ts',
    'mcp/weather/a.ts',
    'hil/a.ts',
    'daemon/cli/oracle.ts',
  ]) {
    t.ok(found.has(file), file);
  }
  t.notOk(found.has('daemon/cli/fine.ts'), 'the command line may load lazily');
});

t.test('timers, console, process and fetch do not type-check in the core', async (t) => {
  const words = [
    'setTimeout',
    'console',
    'process',
    'Buffer',
    'fetch',
    'performance',
    'globalThis.crypto',
    'document',
  ];
  const root = tree(t.testdir(), {
    'daemon/core/bad.ts': words.map((word, i) => `export const w${i} = ${word};`).join('\n'),
  });
  cpSync(packageFile('daemon', 'core', 'tsconfig.json'), join(root, 'daemon', 'core', 'tsconfig.json'));
  let output = '';
  try {
    execFileSync(
      process.execPath,
      [packageFile('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'daemon/core', '--noEmit'],
      { cwd: root, encoding: 'utf8' },
    );
  } catch (error) {
    output = String((error as { stdout: unknown }).stdout);
  }
  for (let i = 0; i < words.length; i++) t.ok(output.includes(`bad.ts(${i + 1},`), `${words[i]}`);
});
