import { readdir, stat } from 'node:fs/promises';
import { DriveMcpError } from '../core/errors.js';
import { systemClock } from '../runtime/clock.js';
import { loadConfig } from '../runtime/config.js';
import type { Config } from '../runtime/config-schema.js';
import {
  type CheckResult,
  checkDiskSpace,
  checkKernelCan,
  checkMemory,
  checkNode,
  checkPlatform,
  checkSqlite,
  checkStateDir,
  checkTimer,
  checkWallClock,
} from '../runtime/machine-checks.js';
import { packageFile } from '../runtime/package-root.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { asCallable } from './command-name.js';
import { configFile } from './config-file.js';
import { count } from './table.js';

export const commands: readonly CommandSpec[] = [
  {
    path: ['doctor'],
    summary: 'looks at this machine and says what is missing and what to do',
    arity: [0, 0],
    options: {},
    details: 'Changes nothing. Exit code 1 where a check fails; warnings are about what some uses need.',
    examples: [
      ['drivemcp doctor', 'a table with OK, WARN or FAIL and advice'],
      ['drivemcp doctor --json', 'one object a check, then a summary'],
    ],
    run: doctor,
  },
];

async function doctor({ values, terminal }: Invocation): Promise<number> {
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  const { check: configCheck, config } = checkConfig(configFile(values, stateDir));
  const packageMadeMs = (await stat(packageFile('package.json'))).mtimeMs;
  const checks: CheckResult[] = [
    checkNode(),
    checkPlatform(),
    await checkKernelCan(),
    configCheck,
    await checkStateDir(stateDir),
    await checkDiskSpace(stateDir, config?.store.max_size_mb ?? 512),
    checkMemory(),
    await checkSqlite(),
    await checkFolder('vehicle profiles', ['daemon', 'vehicles', 'profiles'], 'give your own with --profile'),
    await checkFolder('rulepacks', ['rulepacks'], 'without them no legal limit is known'),
    await checkFolder('bundled drive', ['hil', 'drives'], 'drivemcp run needs --source without it'),
    checkWallClock(systemClock, packageMadeMs),
    await checkTimer(systemClock),
    {
      check: 'ACT',
      status: 'OK',
      found: config?.act.sink === 'log' ? 'goes to the log; nothing drives a vehicle' : 'off (default)',
      advice: '',
    },
  ];
  const amount = (status: string) => checks.filter((one) => one.status === status).length;
  const summary = { ok: amount('OK'), warn: amount('WARN'), fail: amount('FAIL') };
  if (terminal.json) {
    for (const check of checks) terminal.object({ ...check, status: check.status.toLowerCase() });
    terminal.object({ summary });
    return summary.fail > 0 ? 1 : 0;
  }
  const width = Math.max(...checks.map((one) => one.check.length));
  for (const { check, status, found, advice } of checks) {
    const colour = status === 'OK' ? 'green' : status === 'WARN' ? 'yellow' : 'red';
    terminal.line(`${terminal.style(status.padEnd(4), colour)}  ${check.padEnd(width)}  ${found}`);
    if (advice !== '') terminal.line(`${' '.repeat(width + 8)}${terminal.style(asCallable(advice), 'dim')}`);
  }
  terminal.line();
  terminal.line(`${summary.ok} OK, ${count(summary.warn, 'warning')}, ${summary.fail} failed`);
  return summary.fail > 0 ? 1 : 0;
}

function checkConfig(file: string | null): { check: CheckResult; config: Config | null } {
  try {
    const { config } = loadConfig(file);
    return { check: { check: 'configuration', status: 'OK', found: file ?? 'defaults', advice: '' }, config };
  } catch (error) {
    if (!(error instanceof DriveMcpError)) throw error;
    const { line, key } = error.location;
    const where = `${file}${line === undefined ? '' : `:${line}`}${key === undefined ? '' : `: ${key}`}`;
    const found = `${where}: ${error.message}`;
    return { check: { check: 'configuration', status: 'FAIL', found, advice: error.hint }, config: null };
  }
}

/** Names of the folders (or files) that are shipped in a place. */
async function checkFolder(check: string, parts: readonly string[], advice: string): Promise<CheckResult> {
  const names = (await readdir(packageFile(...parts)).catch(() => []))
    .filter(
      (name) =>
        !name.startsWith('.') && name !== 'schema' && !name.endsWith('.ts') && !name.endsWith('.json'),
    )
    .sort();
  if (names.length === 0) return { check, status: 'WARN', found: 'none', advice };
  return { check, status: 'OK', found: names.join(', '), advice: '' };
}
