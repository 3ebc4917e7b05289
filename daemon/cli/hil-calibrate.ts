import { writeFileSync } from 'node:fs';
import { DriveMcpError } from '../core/errors.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { parseHostPort } from './host-port.js';

export const calibrateCommand: CommandSpec = {
  path: ['hil', 'calibrate'],
  summary: 'measures how hard a vehicle of a CARLA server brakes at which pedal',
  positionals: '[HOST:PORT]',
  arity: [0, 1],
  options: {
    blueprint: { type: 'string', value: 'ID', help: 'vehicle to spawn; default: the first one there is' },
    'spawn-point': {
      type: 'string',
      value: 'N',
      help: 'where, counted from 0; a straight, empty road is needed',
    },
    out: { type: 'string', value: 'FILE', help: 'write the table as JSON' },
  },
  details:
    'Becomes owner of the ticks for some twenty seconds of the world: from 15 m/s with the brake at 20, 40, 60, 80 and\n' +
    '100 %. The vehicle and the settings are put back.',
  examples: [
    ['drivemcp hil calibrate 127.0.0.1:2000 --out brakes.json', 'a table for this server and blueprint'],
  ],
  run: calibrate,
};

async function calibrate({ values, positionals, terminal }: Invocation): Promise<number> {
  const address = parseHostPort(positionals[0] ?? '', 2000, 'hil calibrate');
  const wanted = stringOption(values, 'spawn-point') ?? '0';
  if (!/^\d{1,4}$/.test(wanted)) throw new DriveMcpError('USAGE', '--spawn-point takes a whole number');
  const { CarlaSession } = await import('../../hil/carla/session/carla-session.js');
  const { calibrateBrakes } = await import('../../hil/carla/session/calibrate-brakes.js');
  const session = await CarlaSession.open({
    ...address,
    timeoutMs: 10_000,
    sync: 'owner',
    fixedDeltaS: 0.05,
    profile: null,
  });
  try {
    const blueprint =
      stringOption(values, 'blueprint') ??
      session.definitions.find(({ id }) => id.startsWith('vehicle.'))?.id ??
      '';
    const place = (await session.spawnPoints())[Number(wanted)];
    if (place === undefined) throw new DriveMcpError('USAGE', `the map has no spawn point ${wanted}`);
    const vehicle = await session.spawn(blueprint, { role_name: 'calibration' }, place);
    const points = await calibrateBrakes(session, vehicle.id, ({ pedal, decelMps2 }) =>
      terminal.json
        ? terminal.object({ pedal, decel_mps2: decelMps2 })
        : terminal.line(`brake ${(pedal * 100).toFixed(0).padStart(3)} %  ${decelMps2.toFixed(2)} m/s²`),
    );
    const out = stringOption(values, 'out');
    if (out !== undefined) {
      const table = {
        version: session.probe.versionText,
        blueprint,
        points: points.map(({ pedal, decelMps2 }) => ({ pedal, decel_mps2: decelMps2 })),
      };
      writeFileSync(out, `${JSON.stringify(table, null, 2)}\n`);
      terminal.message(`written: ${out}`);
    }
    return 0;
  } finally {
    for (const left of await session.close()) terminal.message(`not put back: ${left}`);
  }
}
