import { FRAME_ERROR, FRAME_REMOTE } from '../core/can/frame-batch.js';
import { printable } from '../runtime/printable.js';
import { FrameDecoder } from '../vehicles/dbc/frame-decoder.js';
import { SignalStatistics } from '../vehicles/dbc/signal-statistics.js';
import { detectCommand } from './can-detect.js';
import { monitorCommand } from './can-monitor.js';
import { recordCommand } from './can-record.js';
import { booleanOption, type CommandSpec, type Invocation } from './command.js';
import { dbcOption, openDbcSet, openDecodeSet, profileOption } from './dbc-set.js';
import { FrameJson, FrameText } from './frame-lines.js';
import { sayFindings } from './log-findings.js';
import { readLog } from './read-log.js';
import { columns, compact, count } from './table.js';

const logNote =
  'LOG is candump text, PCAN TRC, Vector ASC or BLF, GVRET CSV or ASAM MDF4, plain or gzip; `-` reads standard\ninput. The format is recognised from the content. Damaged lines are left out, counted and reported on stderr.';

export const commands: readonly CommandSpec[] = [
  {
    path: ['can', 'decode'],
    summary: 'decodes the frames of a log with DBC files',
    positionals: 'LOG',
    arity: [1, 1],
    options: {
      dbc: dbcOption,
      profile: profileOption,
      all: { type: 'boolean', help: 'also frames with unknown ids, remote frames and error frames' },
      labels: { type: 'boolean', help: 'also the texts of the value tables' },
    },
    details: `${logNote}\n\nValues are raw · factor + offset. Multiplexed signals that are not sent and signals that lie beyond the\nreceived bytes are left out. Identifiers are hexadecimal in text, as in logs,\nand numbers in --json, where an integer beyond ±2^53 and a non-finite number is a text.`,
    examples: [
      ['drivemcp can decode drive.log --dbc car.dbc', 'a line a frame'],
      ['candump -L can0 | drivemcp can decode - --dbc car.dbc --json', 'objects from a pipe'],
    ],
    run: decode,
  },
  {
    path: ['can', 'stats'],
    summary: 'counts, ranges and sums of all signals of a log',
    positionals: 'LOG',
    arity: [1, 1],
    options: {
      dbc: dbcOption,
      all: { type: 'boolean', help: 'in the table also signals that never changed' },
    },
    details: `${logNote}\n\nOnly signals that were in a payload are listed. Values that are not finite count, but are left out of\nmin, max, sum and last.`,
    examples: [
      ['drivemcp can stats drive.log --dbc car.dbc', 'a table of the signals'],
      ['drivemcp can stats drive.log --dbc car.dbc --json', 'one object'],
    ],
    run: stats,
  },
  recordCommand,
  monitorCommand,
  detectCommand,
];

async function decode({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const { plan, unavailable } = await openDecodeSet(values, terminal);
  const decoder = new FrameDecoder(plan);
  const options = { hasLabels: booleanOption(values, 'labels'), unavailable };
  const lines = terminal.json ? new FrameJson(decoder, options) : new FrameText(decoder, options);
  const showsAll = booleanOption(values, 'all');
  let known = 0;
  const log = await readLog(positionals[0]!, signal, (batch) => {
    for (let i = 0; i < batch.count; i++) {
      const isData = (batch.flags[i]! & (FRAME_ERROR | FRAME_REMOTE)) === 0;
      if (isData && decoder.decode(batch, i)) {
        known++;
        terminal.line(lines.decoded(batch, i));
      } else if (showsAll) terminal.line(lines.other(batch, i));
    }
    // What a pipe delivers is shown when it comes.
    terminal.flush();
  });
  sayFindings(log, terminal);
  if (known === 0 && !signal.aborted) {
    terminal.message(
      `drivemcp: none of ${count(log.frames, 'frame')} has an id that the DBC knows; --all shows them`,
    );
  }
  return 0;
}

async function stats({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const plan = openDbcSet(values, terminal);
  const statistics = new SignalStatistics(plan);
  const log = await readLog(positionals[0]!, signal, (batch) => {
    statistics.consume(batch);
    terminal.progress(`${count(statistics.frames, 'frame')} read`);
  });
  sayFindings(log, terminal);
  const { frames, known, unknown, short, long, errors, remote } = statistics;
  const signals = statistics.signals();
  if (terminal.json) {
    const head = JSON.stringify({
      frames,
      known,
      unknown,
      short,
      long,
      errors,
      remote,
      damaged: log.damaged,
    });
    // Written by hand: the order of the DBC is kept also for names that look like numbers.
    const members = signals.map(
      ({ key, count, min, max, sum, last }) =>
        `${JSON.stringify(key)}:${JSON.stringify({ count, min, max, sum, last })}`,
    );
    terminal.line(`${head.slice(0, -1)},"signals":{${members.join()}}}`);
    return 0;
  }
  terminal.line(terminal.style(log.description, 'bold'));
  const counts = [
    `${count(frames, 'frame')}: ${known.toLocaleString('en-US')} known, ${unknown.toLocaleString('en-US')} unknown`,
    `${short.toLocaleString('en-US')} short, ${long.toLocaleString('en-US')} long`,
    `${count(errors, 'error frame')}, ${count(remote, 'remote frame')}, ${log.damaged.toLocaleString('en-US')} damaged`,
  ];
  terminal.line(counts.join('; '));
  if (known === 0 && frames > 0) {
    const ids = [...statistics.unknownIds].map((id) => id.toString(16).toUpperCase()).join(', ');
    terminal.message(
      `drivemcp: no frame has an identifier that the DBC knows${ids === '' ? '' : `; seen were ${ids} …: is this the DBC of that car and bus?`}`,
    );
    return 0;
  }
  const print = (table: readonly string[]) => {
    terminal.line();
    for (const [i, line] of table.entries()) terminal.line(i === 0 ? terminal.style(line, 'dim') : line);
  };
  const messageRows = statistics
    .messages()
    .map(({ id, isExtended, name, frames: number, rateHz }) => [
      identifier(id, isExtended),
      printable(name),
      number.toLocaleString('en-US'),
      rateHz === null ? '-' : compact(Number(rateHz.toFixed(2))),
    ]);
  print(
    columns(
      [['id', 'message', 'frames', 'per s'], ...messageRows],
      ['right', 'left', 'right', 'right'],
      terminal.tableWidth,
    ),
  );
  const showsAll = booleanOption(values, 'all');
  const moving = signals.filter(
    ({ count: n, min, max }) => showsAll || n === 1 || min === null || min !== max,
  );
  const rows = moving.map((entry) => [
    printable(entry.key),
    entry.count.toLocaleString('en-US'),
    compact(entry.min),
    compact(entry.max),
    compact(entry.count > entry.nonFinite ? entry.sum / (entry.count - entry.nonFinite) : null),
    compact(entry.last),
    printable(entry.unit),
  ]);
  print(
    columns(
      [['signal', 'count', 'min', 'max', 'mean', 'last', 'unit'], ...rows],
      ['left', 'right', 'right', 'right', 'right', 'right', 'left'],
      terminal.tableWidth,
    ),
  );
  const folded = signals.length - moving.length;
  if (folded > 0) terminal.line(`and ${count(folded, 'signal')} that never changed (--all shows them)`);
  return 0;
}

/** As logs write it: hexadecimal, 3 digits for an 11-bit identifier, 8 for one of 29 bits. */
function identifier(id: number, isExtended: boolean): string {
  return id
    .toString(16)
    .toUpperCase()
    .padStart(isExtended ? 8 : 3, '0');
}
