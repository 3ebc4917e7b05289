import { DriveMcpError } from '../core/errors.js';
import { mutableClasses } from '../core/preferences.js';
import { systemClock } from '../runtime/clock.js';
import { loadConfig } from '../runtime/config.js';
import { leaveLetter } from '../runtime/inbox-letter.js';
import {
  type Preferences,
  preferencesPath,
  preferencesSchema,
  readPreferences,
  writePreferences,
} from '../runtime/preferences-file.js';
import { createStateDir, resolveStateDir } from '../runtime/state-dir.js';
import { readStatus } from '../runtime/status-file.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { configFile } from './config-file.js';
import { nearestWord } from './nearest-word.js';
import type { Terminal } from './terminal.js';

const keys = Object.keys(preferencesSchema.shape) as (keyof Preferences)[];

export const commands: readonly CommandSpec[] = [
  {
    path: ['preferences', 'show'],
    summary: 'language, units, verbosity and muted classes, and where each comes from',
    arity: [0, 0],
    options: {},
    details:
      'An option of run wins over a preference, a preference over the section [driver] of the configuration.',
    examples: [['drivemcp preferences show', 'what is in force for the next run, and for a running one']],
    async run({ values, terminal }) {
      const stateDir = resolveStateDir(stringOption(values, 'state'));
      show(stateDir, loadConfig(configFile(values)).config.driver, terminal);
      return 0;
    },
  },
  {
    path: ['preferences', 'set'],
    summary: 'changes preferences, at once where a daemon runs',
    positionals: 'KEY=VALUE…',
    arity: [1, 16],
    options: {},
    details: [
      'language=TAG      language spoken to the driver',
      'units=UNIT        auto, km/h or mph',
      'verbosity=HOW     normal, or brief: announcements that ask nothing of the driver are left out',
      `muted=CLASS[,…]   not said: ${mutableClasses.join(', ')}. Hazards cannot be muted`,
      'KEY=              the value of the configuration again (muted=: nothing is muted)',
    ].join('\n'),
    examples: [
      ['drivemcp preferences set language=de units=km/h', 'German, whatever the configuration says'],
      [
        'drivemcp preferences set muted=speed,law verbosity=brief',
        'less talk; hazards are said all the same',
      ],
    ],
    run: set,
  },
];

async function set({ values, positionals, terminal }: Invocation): Promise<number> {
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  const { preferences: before, notice } = readPreferences(stateDir);
  if (notice !== null) terminal.message(`drivemcp: ${notice}`);
  const wanted: Record<string, unknown> = { ...before };
  for (const assignment of positionals) {
    const [key, value] = split(assignment);
    if (value !== '') wanted[key] = key === 'muted' ? value.split(',') : value;
    else if (key === 'muted') wanted[key] = [];
    else delete wanted[key];
  }
  const checked = preferencesSchema.safeParse(wanted);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const path = String(issue?.path[0] ?? '');
    const isHazard = path === 'muted' && String(wanted['muted']).split(',').includes('hazard');
    throw new DriveMcpError('USAGE', isHazard ? 'hazards cannot be muted' : `${path}: ${issue?.message}`, {
      hint: 'drivemcp preferences set --help lists what each key takes',
    });
  }
  createStateDir(stateDir);
  writePreferences(stateDir, checked.data);
  const { driver } = loadConfig(configFile(values)).config;
  if (isRunning(stateDir)) tellDaemon(stateDir, { ...driver, ...checked.data });
  show(stateDir, driver, terminal);
  return 0;
}

function split(assignment: string): [keyof Preferences, string] {
  const at = assignment.indexOf('=');
  const name = at < 0 ? assignment : assignment.slice(0, at);
  const key = keys.find((known) => known === name);
  if (key !== undefined && at >= 0) return [key, assignment.slice(at + 1)];
  const near = nearestWord(name, keys);
  throw new DriveMcpError('USAGE', `'${assignment}' is no KEY=VALUE with a key of ${keys.join(', ')}`, {
    ...(near === undefined ? {} : { hint: `did you mean ${near}=…?` }),
  });
}

function isRunning(stateDir: string): boolean {
  const read = readStatus(stateDir);
  return read.kind === 'status' && read.status['state'] === 'running';
}

function tellDaemon(stateDir: string, driver: Required<Preferences>): void {
  const wall_ms = systemClock.wallMs();
  for (const subject of ['language', 'units', 'verbosity'] as const) {
    leaveLetter(stateDir, { wall_ms, kind: 'prefer', subject, value: driver[subject] });
  }
  for (const subject of mutableClasses) {
    leaveLetter(stateDir, { wall_ms, kind: driver.muted.includes(subject) ? 'mute' : 'unmute', subject });
  }
}

function show(stateDir: string, configured: Required<Preferences>, terminal: Terminal): void {
  const { preferences, notice } = readPreferences(stateDir);
  if (notice !== null) terminal.message(`drivemcp: ${notice}`);
  const effective = { ...configured, ...preferences };
  if (terminal.json) {
    terminal.object({ ...effective, preferred: Object.keys(preferences), file: preferencesPath(stateDir) });
    return;
  }
  for (const key of keys) {
    const value = effective[key];
    const words = Array.isArray(value) ? (value.length === 0 ? 'nothing' : value.join(', ')) : value;
    const from = preferences[key] === undefined ? 'configuration' : 'preference';
    terminal.line(`${terminal.style(key.padEnd(10), 'bold')}  ${String(words).padEnd(24)}  ${from}`);
  }
}
