import { printable } from '../runtime/printable.js';
import { booleanOption, type CommandSpec, type Invocation, stringOption } from './command.js';
import { parseHostPort } from './host-port.js';

export const doctorCommand: CommandSpec = {
  path: ['hil', 'doctor'],
  summary: 'asks a CARLA server what it is and speaks, for bug reports; changes nothing',
  positionals: '[HOST:PORT]',
  arity: [0, 1],
  options: {
    'timeout-s': { type: 'string', value: 'N', help: 'longest wait for one answer; default 10' },
    release: {
      type: 'boolean',
      help: 'make a server asynchronous that stands still because nobody ticks it',
    },
  },
  details:
    'The version is only the first guess: numbers of fields, arities of methods and the layout of the first world state\n' +
    'are looked at. Exit code 1 where the world stands still or a question failed, 69 where nobody answers.',
  examples: [
    ['drivemcp hil doctor 127.0.0.1:2000', 'version, profile, map, settings, first world state'],
    ['drivemcp hil doctor --json 127.0.0.1:2000 > carla.json', 'to attach to a report'],
  ],
  run: doctor,
};

async function doctor({ values, positionals, terminal }: Invocation): Promise<number> {
  const address = parseHostPort(positionals[0] ?? '', 2000, 'hil doctor');
  const seconds = Number(stringOption(values, 'timeout-s') ?? 10);
  const timeoutMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 10_000;
  const { diagnose } = await import('../../hil/carla/session/diagnose.js');
  const found = await diagnose({ ...address, timeoutMs, release: booleanOption(values, 'release') });
  if (terminal.json) {
    terminal.object({
      host: address.host,
      port: address.port,
      version: found.version,
      profile: found.profile,
      differences: found.differences,
      findings: found.findings,
      map: found.map,
      spawn_points: found.spawnPoints,
      blueprints: found.blueprints,
      sensors: found.sensors,
      synchronous: found.isSynchronous,
      fixed_delta_s: found.fixedDeltaS,
      weather: found.weather,
      world:
        found.world === null
          ? null
          : {
              header_bytes: found.world.headerBytes,
              stride_bytes: found.world.strideBytes,
              actors: found.world.actors,
              frame: found.world.frame,
              delta_s: found.world.deltaS,
            },
      frozen: found.isFrozen,
      released: found.wasReleased,
      failures: found.failures,
    });
    return exitCode(found);
  }
  const line = (name: string, text: string): void =>
    terminal.line(`${terminal.style(name.padEnd(12), 'bold')} ${printable(text)}`);
  const said = (value: string | number | null): string => (value === null ? 'not said' : String(value));
  line('server', `${said(found.version)} at ${address.host}:${address.port}, read as ${said(found.profile)}`);
  for (const difference of found.differences) line('', `other than the version says: ${difference}`);
  line('map', `${said(found.map)}, ${said(found.spawnPoints)} spawn points`);
  line('blueprints', `${said(found.blueprints)}, sensors: ${found.sensors.join(', ') || 'none'}`);
  const step = found.fixedDeltaS === null ? 'steps as long as they take' : `steps of ${found.fixedDeltaS} s`;
  if (found.isSynchronous === null) line('settings', 'not said');
  else line('settings', `${found.isSynchronous ? 'synchronous' : 'asynchronous'}, ${step}`);
  line(
    'world',
    found.world === null
      ? 'no state within 3 s'
      : `frame ${found.world.frame}, ${found.world.actors} actors, ${found.world.headerBytes} + n × ${found.world.strideBytes} bytes`,
  );
  for (const failure of found.failures) line('failed', failure);
  if (found.wasReleased)
    line('released', 'it was synchronous and nobody ticked it; now it runs by its clock');
  else if (found.isFrozen)
    line('frozen', 'synchronous, and nobody ticks it: --release lets it run by its clock again');
  return exitCode(found);
}

function exitCode(found: {
  readonly isFrozen: boolean;
  readonly wasReleased: boolean;
  readonly failures: readonly string[];
}): number {
  const { isFrozen, wasReleased, failures } = found;
  return (isFrozen && !wasReleased) || failures.length > 0 ? 1 : 0;
}
