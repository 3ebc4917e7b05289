import { DriveMcpError } from '../core/errors.js';
import { validateParams } from '../core/params/validation.js';
import { createParams, type Params } from '../core/params.js';
import { type HealthReport, isNews } from '../core/safety/health/health-report.js';
import { parsePair } from '../vehicles/diagnostics/diagnostic-id.js';
import { HeardDiagnostics } from '../vehicles/health/diagnostic-reader.js';
import { HealthSession } from '../vehicles/health/health-session.js';
import { loadProfile } from '../vehicles/profile/load-profile.js';
import { type CommandSpec, type Invocation, listOption, type OptionValues, stringOption } from './command.js';
import { dbcOption } from './dbc-set.js';
import { openPlotFile } from './drive-plot/plot-file.js';
import { courseLine, healthObject, printSummary } from './health-log/health-lines.js';
import { drawHealth } from './health-log/health-plot.js';
import { HealthTrace } from './health-log/health-trace.js';
import { readReference } from './health-log/reference-log.js';
import { sayFindings } from './log-findings.js';
import { readLog } from './read-log.js';
import { count } from './table.js';
import type { Terminal } from './terminal.js';

export const commands: readonly CommandSpec[] = [
  {
    path: ['health'],
    summary: "how the car is over a log: signals, trouble codes, lost messages, and each one's share",
    positionals: 'LOG',
    arity: [1, 1],
    options: {
      profile: {
        type: 'string',
        value: 'PROFILE',
        help: 'vehicle profile (name or file): which signal is what; without it only diagnostics and buses speak',
      },
      dbc: dbcOption,
      reference: {
        type: 'string',
        value: 'LOG',
        help: 'a good recording of the same car: its messages that never come here are told',
      },
      pair: {
        type: 'string',
        multiple: true,
        value: 'REQ:RSP',
        help: 'identifiers of a request and its answer beside the usual ones, e.g. 7A0:7A8',
      },
      set: {
        type: 'string',
        multiple: true,
        value: 'NAME=N',
        help: 'a threshold or weight, e.g. tyrePlacardKpa=250; a wrong name lists all',
      },
      plot: {
        type: 'string',
        value: 'FILE.svg',
        help: 'draw health, coverage, brakes and findings over time',
      },
    },
    details: [
      'Health is 100·(1 − h), h = 1 − exp(−Σ min(cap, Σ weight · severity)): 100 means that nothing bad is known,',
      'not that all is well, so coverage stands beside it. A fault counts after three samples or 2 s, and clears',
      'after 10 s. A sensor at the end of its scale (−40 and 215 °C) is a broken sensor, no temperature. Codes and',
      'values of OBD, UDS and J1939 answers on the bus are used without a profile. Nothing is sent.',
    ].join('\n'),
    examples: [
      ['drivemcp health drive.log --profile hyundai-kona --dbc car.dbc', 'signals and diagnostics'],
      ['drivemcp health drive.log', 'trouble codes, OBD values and lost messages alone'],
      ['drivemcp health drive.log --reference good.log', 'which messages never came'],
      ['drivemcp health drive.log --plot health.svg --json', 'a picture, and a line on every change'],
    ],
    run: health,
  },
];

async function health({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const params = paramsOf(values);
  const profileName = stringOption(values, 'profile');
  const dbcFiles = listOption(values, 'dbc');
  if (profileName === undefined && dbcFiles.length > 0) {
    throw new DriveMcpError('USAGE', '--dbc needs --profile, which says what its signals mean', {
      hint: 'drivemcp profile draft --dbc FILE LOG makes one',
    });
  }
  const loaded = profileName === undefined ? null : await loadProfile({ profile: profileName, dbcFiles });
  for (const warning of loaded?.warnings ?? []) terminal.message(`drivemcp: ${warning}`);
  const plotPath = stringOption(values, 'plot');
  const plot = plotPath === undefined ? null : openPlotFile(plotPath);
  try {
    const referencePath = stringOption(values, 'reference');
    const missing = referencePath === undefined ? null : await readReference(referencePath, signal);
    const trace = new HealthTrace();
    let before: HealthReport | null = null;
    const diagnostics = new HeardDiagnostics(listOption(values, 'pair').map(parsePair));
    const session = new HealthSession({
      params,
      profile: loaded?.profile ?? null,
      diagnostics,
      onReport: (report, tS) => {
        if (terminal.json) terminal.object(healthObject(report, tS));
        else {
          if (before === null) terminal.line(terminal.style('     time   health  what changed', 'dim'));
          terminal.line(courseLine(report, before, session.durationUs));
        }
        before = report;
      },
      onStep: (report) => trace.add(report),
    });
    const log = await readLog(positionals[0]!, signal, (batch) => {
      session.consume(batch);
      terminal.progress(`${count(session.frames, 'frame')} read`);
    });
    sayFindings(log, terminal);
    const last = session.finish(missing?.(session.identifiers) ?? []);
    if (terminal.json) terminal.object(healthObject(last, session.lastClockS));
    else {
      if (isNews(before, last)) terminal.line(courseLine(last, before, session.durationUs));
      printSummary(terminal, last, trace);
      sayUnknown(terminal, session, loaded !== null, diagnostics);
    }
    plot?.write(drawHealth(log.description, trace, last));
    return 0;
  } finally {
    plot?.close();
  }
}

/** What the answer rests on, so that silence is not taken for health. */
function sayUnknown(
  terminal: Terminal,
  session: HealthSession,
  hasProfile: boolean,
  { answers, incompleteAnswers, areCodesRead }: HeardDiagnostics,
): void {
  terminal.line();
  terminal.line(
    `looked at   ${count(session.frames, 'frame')}, ${count(session.cyclicCount, 'cyclic message')}, ${count(answers, 'diagnostic answer')}${incompleteAnswers === 0 ? '' : ` and ${incompleteAnswers} that did not become whole`}`,
  );
  if (!hasProfile) {
    terminal.line(
      'not known   what the signals of this car mean: --profile says it; brakes, tyres and fluids are judged only with one',
    );
  }
  if (!areCodesRead) terminal.line('not known   trouble codes: nobody asked for them in this log');
}

function paramsOf(values: OptionValues): Params {
  const overrides: Record<string, number> = {};
  for (const text of listOption(values, 'set')) {
    const found = /^([A-Za-z0-9]+)=(-?[0-9.]+(?:[eE][-+]?[0-9]+)?)$/.exec(text);
    if (found?.[1] === undefined) {
      throw new DriveMcpError('USAGE', `--set takes NAME=N, got '${text.slice(0, 60)}'`);
    }
    overrides[found[1]] = Number(found[2]);
  }
  const known = createParams('default').health;
  for (const name of Object.keys(overrides)) {
    if (!Object.hasOwn(known, name)) {
      throw new DriveMcpError('USAGE', `--set ${name}: there is no such threshold`, {
        hint: `known: ${Object.keys(known).join(', ')}`,
      });
    }
  }
  const params = createParams('default', { overrides: { health: overrides } });
  const problem = validateParams(params)[0];
  if (problem !== undefined) throw new DriveMcpError('USAGE', `--set: ${problem.key} ${problem.message}`);
  return params;
}
