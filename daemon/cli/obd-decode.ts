import { parsePair } from '../vehicles/diagnostics/diagnostic-id.js';
import { DiagnosticListener } from '../vehicles/diagnostics/diagnostic-listener.js';
import type { DiagnosticMessage } from '../vehicles/diagnostics/diagnostic-message.js';
import { type CommandSpec, type Invocation, listOption } from './command.js';
import { sayFindings } from './log-findings.js';
import { messageJson, messageText } from './obd-lines.js';
import { UnitSummary } from './obd-summary.js';
import { readLog } from './read-log.js';
import { count } from './table.js';

export const decodeCommand: CommandSpec = {
  path: ['obd', 'decode'],
  summary: 'OBD, UDS and J1939 diagnostics in a log: values, trouble codes, VIN, errors',
  positionals: 'LOG',
  arity: [1, 1],
  options: {
    pair: {
      type: 'string',
      multiple: true,
      value: 'REQ:RSP',
      help: 'identifiers of a request and its answer, e.g. 7A0:7A8; with extended addressing 6F1/12:612/F1',
    },
  },
  details:
    'LOG is candump text, PCAN TRC, Vector ASC or BLF, GVRET CSV or ASAM MDF4, plain or gzip; `-` reads standard\ninput. Nothing is sent: frames are put together as they passed by, requests and answers, also with errors in\nbetween. Identifiers known without --pair: 7DF, 7E0–7EF, 7B0/7B8, 7B3/7BB, 79B/7BB, 7C0/7C8, 7C6/7CE, 18DBxxF1,\n18DAxxF1 and 18DAF1xx, 17FCxxxx/17FExxxx; J1939 transport and fault messages (DM1, DM2 …) on any 29-bit bus.\n\nA value that the vehicle says it does not have is n/a (null in --json); what is too short is an error, never\nfilled up. A timeout bears the time when it ran out. Errors in the recorded traffic are results: exit code 0.',
  examples: [
    ['drivemcp obd decode drive.log', 'a line a message, then a summary by control unit'],
    ['drivemcp obd decode drive.mf4 --json', 'one object a message'],
    ['candump -L can0 | drivemcp obd decode - --pair 7A0:7A8', 'from a pipe, with a further control unit'],
  ],
  run: decode,
};

/** What was given up for want of room, by the counters of the listener. */
const boundTexts: Readonly<Record<string, string>> = {
  streams_forgotten: 'identifiers were forgotten, because more spoke than are remembered',
  isotp_evicted: 'open ISO-TP messages were given up, because more were open than are kept',
  isotp_passed_over: 'consecutive frames followed a refused first frame and were passed over',
  j1939_evicted: 'open J1939 messages were given up, because more were open than are kept',
};

async function decode({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const pairs = listOption(values, 'pair').map(parsePair);
  const summary = new UnitSummary();
  const show = (message: DiagnosticMessage): void => {
    summary.add(message);
    terminal.line(terminal.json ? messageJson(message) : messageText(message));
  };
  const listener = new DiagnosticListener(pairs, show);
  const log = await readLog(positionals[0]!, signal, (batch) => {
    listener.consume(batch);
    // What a pipe delivers is shown when it comes.
    terminal.flush();
  });
  listener.finish();
  if (!terminal.json && summary.messages > 0) {
    terminal.line();
    for (const [i, line] of summary.lines(terminal.tableWidth).entries()) {
      terminal.line(i === 0 ? terminal.style(line, 'dim') : line);
    }
  }
  for (const [name, number] of Object.entries(listener.counters)) {
    if (number > 0)
      terminal.message(`drivemcp: ${number.toLocaleString('en-US')} ${boundTexts[name]} [${name}]`);
  }
  sayFindings(log, terminal);
  if (summary.messages === 0 && !signal.aborted) {
    terminal.message(
      `drivemcp: no diagnostics in ${count(log.frames, 'frame')}; --pair names further identifiers`,
    );
  }
  return 0;
}
