import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import { readBounded } from '../runtime/read-bounded.js';
import { LinkSights } from '../sources/can/link-sights.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';

const scriptMaxBytes = 1_048_576;

export const ecuCommand: CommandSpec = {
  path: ['hil', 'ecu'],
  summary: 'simulated control units on a virtual CAN interface, for trying obd poll',
  positionals: 'IF',
  arity: [1, 1],
  options: {
    script: { type: 'string', value: 'FILE', help: 'JSON: what they hold and how they behave' },
  },
  details:
    'Sends. So it refuses every interface that is not of the kind vcan. Simulated: the bundled engine (7E8) and\n' +
    'transmission (7E9) hold made-up values. A script is {"ecus":[{"answer":"7E8","pids":{"0C":"1AF8"},"vin":…,\n' +
    '"confirmed":["0133"],"behaviour":["answers","slow",…]}],"traffic_hz":10}; behaviours: answers, silent, slow,\n' +
    'twice, for_another, wrong_source, pending, pending_for_ever, busy, refuses, breaks_off, skips_a_frame, short.',
  examples: [
    ['drivemcp hil ecu vcan0', 'until Ctrl-C; in another terminal: drivemcp obd poll vcan0 --allow-requests'],
    ['drivemcp hil ecu vcan0 --script slow.json --json', 'counters as one object at the end'],
  ],
  run,
};

async function run({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const name = positionals[0]!;
  mustBeVirtual(name);
  const { bundledEcus, parseEcuScript } = await import('../../hil/ecu/ecu-script.js');
  const file = stringOption(values, 'script');
  const script = file === undefined ? bundledEcus : scriptFile(file, parseEcuScript);
  const { runEcus } = await import('../../hil/ecu/run-ecus.js');
  const names = script.ecus.map(({ answer }) => answer).join(', ');
  try {
    const counters = await runEcus(name, script, signal, () =>
      terminal.message(`drivemcp: simulated control units ${names} answer on ${name}; Ctrl-C ends them`),
    );
    if (terminal.json) terminal.object(counters);
    else terminal.line(`${counters.requests} requests, ${counters.flow_controls} flow controls`);
    return 0;
  } catch (cause) {
    throw new DriveMcpError('CAN_UNAVAILABLE', `no control units on ${name}: ${causeText(cause)}`, {
      cause,
      hint: 'it sends through the optional package socketcan, which needs a compiler',
    });
  }
}

/** Simulated control units have no place on a bus with real ones. */
function mustBeVirtual(name: string): void {
  const links = new LinkSights();
  const { state, family } = links.look(name);
  links.close();
  if (state !== 'absent' && family === 'vcan') return;
  throw new DriveMcpError(
    'CAN_UNAVAILABLE',
    state === 'absent'
      ? `there is no CAN interface ${name}`
      : `${name} is a ${family ?? 'CAN'} interface, not a virtual one`,
    { hint: 'ip link add dev vcan0 type vcan; ip link set vcan0 up' },
  );
}

function scriptFile<T>(file: string, parse: (value: unknown) => T): T {
  const bytes = readBounded(file, { maxBytes: scriptMaxBytes, tooLarge: 'CONFIG_INVALID', what: 'a script' });
  try {
    return parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new DriveMcpError('CONFIG_INVALID', causeText(cause), { location: { file }, cause });
  }
}
