import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import { packageFile, packageVersion } from '../runtime/package-root.js';
import { readDbcFile } from '../vehicles/profile/dbc-set.js';
import { bundledDrive, bundledPinFile, type DrivePin } from './bundled-drive.js';
import { booleanOption, type CommandSpec, type Invocation, stringOption } from './command.js';
import { bridgeCommand } from './hil-bridge.js';
import { calibrateCommand } from './hil-calibrate.js';
import { cockpitCommand } from './hil-cockpit.js';
import { doctorCommand } from './hil-doctor.js';
import { ecuCommand } from './hil-ecu.js';
import { frictionCommand } from './hil-friction.js';
import { scenarioCommand } from './hil-scenario.js';
import { serveCommand } from './hil-serve.js';
import { snapshotCommand } from './hil-snapshot.js';
import { viewCommand } from './hil-view.js';
import { bundledScenarioNames, loadScenario } from './scenario-files.js';

const simulatedProfile = 'sim-car';

interface StoryLine {
  readonly event: string;
  readonly onsetS: number;
  readonly what: string;
}

export const commands: readonly CommandSpec[] = [
  {
    path: ['hil', 'scenarios'],
    summary: 'lists the scenarios of the simulator',
    arity: [0, 0],
    options: {},
    details:
      'Drives are recorded once and played by drivemcp run; scenarios of the world are served to CARLA clients.',
    examples: [['drivemcp hil scenarios', 'id, length, seed and what happens when']],
    run: listScenarios,
  },
  {
    path: ['hil', 'record-drive'],
    summary: 'simulates a scenario and records what a daemon in that car would receive',
    arity: [0, 0],
    options: {
      scenario: { type: 'string', value: 'ID', help: 'scenario; default: the bundled one' },
      seed: { type: 'string', value: 'N', help: "other noise than the scenario's own" },
      out: { type: 'string', value: 'FILE', help: 'drive to write; default: ID.drive here' },
      bundled: {
        type: 'boolean',
        help: 'rewrite the drive that comes with this checkout and its pin instead',
      },
      'decision-hash': {
        type: 'string',
        value: 'HASH',
        help: 'with --bundled: pin these decisions (from the summary of drivemcp run)',
      },
    },
    details:
      'Simulated: no car, no real sensor. The same scenario and seed give the same bytes.\n' +
      'The drive holds CAN frames and facts, so it needs the vehicle profile sim-car, which it names.',
    examples: [
      ['drivemcp hil record-drive --seed 7 --out other.drive', 'the bundled story with other noise'],
      ['drivemcp run --source other.drive', 'decides on it'],
    ],
    run: recordDriveCommand,
  },
  scenarioCommand,
  serveCommand,
  viewCommand,
  snapshotCommand,
  cockpitCommand,
  bridgeCommand,
  ecuCommand,
  doctorCommand,
  calibrateCommand,
  frictionCommand,
];

async function listScenarios({ terminal }: Invocation): Promise<number> {
  const { scenarios } = await import('../../hil/scenarios/catalogue.js');
  for (const scenario of scenarios) {
    const { id, title, seed, durationS, story } = scenario;
    if (terminal.json) {
      terminal.object({
        id,
        kind: 'drive',
        title,
        seed,
        duration_s: durationS,
        story: story.map(storyObject),
      });
      continue;
    }
    terminal.line(`${id}: ${title}, ${durationS} s, seed ${seed}`);
    for (const element of story) {
      terminal.line(
        `  ${element.onsetS.toFixed(1).padStart(6)} s  ${element.event.padEnd(22)}${element.what}`,
      );
    }
  }
  if (!terminal.json) terminal.line('\nscenarios of the world (hil serve, hil view):');
  for (const name of bundledScenarioNames()) {
    const { world, family, title, stop } = await loadScenario(name);
    const { id, seed, map } = world;
    if (terminal.json) terminal.object({ id, kind: 'world', family, title, seed, map, duration_s: stop.atS });
    else terminal.line(`${id.padEnd(17)}${title}; ${map}, ${stop.atS} s, seed ${seed}`);
  }
  return 0;
}

function storyObject(element: StoryLine): Record<string, unknown> {
  return { event: element.event, onset_s: element.onsetS, what: element.what };
}

async function recordDriveCommand({ values, terminal }: Invocation): Promise<number> {
  const isBundled = booleanOption(values, 'bundled');
  const scenario = await chosenScenario(values);
  const decisionHash = stringOption(values, 'decision-hash');
  const out = stringOption(values, 'out');
  if (isBundled && (out ?? stringOption(values, 'seed') ?? stringOption(values, 'scenario')) !== undefined) {
    throw new DriveMcpError('USAGE', '--bundled goes without --out, --seed and --scenario');
  }
  if (decisionHash !== undefined && !/^[0-9a-f]{64}$/.test(decisionHash)) {
    throw new DriveMcpError('USAGE', '--decision-hash takes 64 lower-case hexadecimal digits');
  }
  if (out === '') throw new DriveMcpError('USAGE', '--out needs the name of a file');
  if (decisionHash !== undefined && !isBundled) {
    throw new DriveMcpError('USAGE', '--decision-hash goes with --bundled');
  }
  const path = isBundled
    ? packageFile('hil', 'drives', `${scenario.id}.drive`)
    : resolve(out ?? `${scenario.id}.drive`);
  const { recordDrive } = await import('../../hil/sim/record-drive.js');
  terminal.progress(`simulating ${scenario.id}, ${scenario.durationS} s …`);
  const dbcName = `${simulatedProfile}.dbc`;
  const dbc = readDbcFile(packageFile('daemon', 'vehicles', 'profiles', simulatedProfile, dbcName));
  const recorded = await recordDrive(
    scenario,
    {
      database: dbc.database,
      profile: simulatedProfile,
      digests: { [`dbc:${dbcName}`]: dbc.sha256 },
      productVersion: packageVersion,
    },
    path,
  );
  if (isBundled) writePin(scenario, recorded.sha256, decisionHash);
  if (terminal.json) {
    const { frames, facts, bytes, sha256, durationS } = recorded;
    terminal.object({
      path,
      scenario: scenario.id,
      seed: scenario.seed,
      duration_s: durationS,
      frames,
      facts,
      bytes,
      sha256,
    });
  } else {
    terminal.line(
      `${path}: ${recorded.durationS} s simulated, ${recorded.frames} frames, ${recorded.facts} facts`,
    );
    terminal.line(`${recorded.bytes} bytes, sha256 ${recorded.sha256}`);
  }
  return 0;
}

async function chosenScenario(values: Invocation['values']) {
  const { bundledScenario, scenarios } = await import('../../hil/scenarios/catalogue.js');
  const id = stringOption(values, 'scenario') ?? bundledScenario.id;
  const scenario = scenarios.find((candidate) => candidate.id === id);
  if (scenario === undefined) {
    throw new DriveMcpError('USAGE', `there is no scenario '${id}'`, {
      hint: `known: ${scenarios.map((candidate) => candidate.id).join(', ')}`,
    });
  }
  const seed = stringOption(values, 'seed');
  if (seed === undefined) return scenario;
  if (!/^\d{1,9}$/.test(seed))
    throw new DriveMcpError('USAGE', '--seed takes a whole number up to 999999999');
  return { ...scenario, seed: Number(seed) };
}

/** Decisions stay pinned only where the drive is still the one they were pinned on. */
function writePin(
  scenario: { id: string; seed: number },
  sha256: string,
  decisionHash: string | undefined,
): void {
  const before = existsSync(bundledPinFile) ? bundledDrive().pin : null;
  const kept = before?.sha256 === sha256 ? before.decision_hash : null;
  const pin: DrivePin = {
    pin: 1,
    drive: `${scenario.id}.drive`,
    sha256,
    zlib: process.versions.zlib ?? '',
    scenario: scenario.id,
    seed: scenario.seed,
    profile: simulatedProfile,
    preset: 'default',
    tick_period_ms: 50,
    decision_hash: decisionHash ?? kept,
  };
  writeFileSync(bundledPinFile, `${JSON.stringify(pin, null, 2)}\n`);
}
