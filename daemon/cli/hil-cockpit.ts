import { DriveMcpError } from '../core/errors.js';
import { cockpitRows } from './cockpit-table.js';
import { CockpitWatch } from './cockpit-watch.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { columns } from './table.js';

const verbs = ['list', 'get', 'set', 'watch'] as const;

export const cockpitCommand: CommandSpec = {
  path: ['hil', 'cockpit'],
  summary: 'reads, sets and watches the vehicle properties of a simulated ego through its cockpit port',
  positionals: 'list | get PROP[@AREA]… | set PROP[@AREA]=VALUE… | watch PROP[@AREA]…',
  arity: [1, 200],
  options: {
    socket: { type: 'string', value: 'PATH', help: 'where hil serve --cockpit-socket listens' },
    'rate-hz': { type: 'string', value: 'N', help: 'of watch: at most so often, 1 to 20; default 2' },
  },
  details:
    "Properties by AOSP's names or ids (PERF_VEHICLE_SPEED, 0x11600207); areas by name, number or a sum of them (ROW_1_LEFT,\n" +
    '0x75), without one all areas of the property. Values of enumerations may be named (HEADLIGHTS_SWITCH=ON). Simulated: the\n' +
    'car behind it is one. Exit code 1 where a value was refused; the status is what a vehicle HAL answers.',
  examples: [
    [
      'drivemcp hil serve --scenario town-rain --cockpit-socket /tmp/ego.sock',
      'a world, in another terminal',
    ],
    ['drivemcp hil cockpit watch --socket /tmp/ego.sock WINDSHIELD_FOG WINDSHIELD_DROPS', 'the glass, live'],
    [
      'drivemcp hil cockpit set --socket /tmp/ego.sock HVAC_MAX_DEFROST_ON=true WINDSHIELD_WIPERS_SWITCH=AUTO',
      'clears it',
    ],
    ['drivemcp hil cockpit list --socket /tmp/ego.sock', 'properties, areas, types, ranges, access'],
  ],
  run,
};

async function run(invocation: Invocation): Promise<number> {
  const { values, positionals, signal } = invocation;
  const [verb, ...words] = positionals;
  const known = verbs.find((one) => one === verb);
  if (known === undefined || (known === 'list') !== (words.length === 0))
    throw new DriveMcpError('USAGE', `drivemcp hil cockpit takes ${cockpitCommand.positionals}`);
  const path = stringOption(values, 'socket');
  if (path === undefined || path === '') throw new DriveMcpError('USAGE', 'which port? --socket PATH');
  const rateHz = readRate(stringOption(values, 'rate-hz'), known);
  const { CockpitClient } = await import('../../hil/cockpit/port/cockpit-client.js');
  const client = await CockpitClient.connect(path, signal);
  try {
    const configs = await client.list();
    if (known === 'list') return list(configs, invocation);
    const { readWish, readAssignment } = await import('../../hil/cockpit/port/property-words.js');
    if (known === 'set') {
      const wanted = words.flatMap((word) => readAssignment(word, configs));
      return show(await client.set(wanted), configs, invocation);
    }
    const wanted = words.flatMap((word) => readWish(word, configs));
    if (known === 'get') return show(await client.get(wanted), configs, invocation);
    return await watch(client, wanted, configs, rateHz, invocation);
  } catch (error) {
    if (signal.aborted && known === 'watch') return 0;
    throw error;
  } finally {
    client.close();
  }
}

type Client = Awaited<
  ReturnType<typeof import('../../hil/cockpit/port/cockpit-client.js').CockpitClient.connect>
>;
type Configs = Awaited<ReturnType<Client['list']>>;
type Results = Awaited<ReturnType<Client['get']>>;
type Wanted = Parameters<Client['get']>[0];

function list(configs: Configs, { terminal }: Invocation): number {
  if (terminal.json) {
    for (const config of configs) terminal.object(config);
    return 0;
  }
  const rows = configs.map((config) => [
    config.prop,
    `0x${config.id.toString(16)}`,
    config.type,
    config.access,
    config.change_mode,
    config.min === null ? (config.unit ?? '') : `${config.min}…${config.max} ${config.unit ?? ''}`.trim(),
    config.areas.map(({ name }) => name).join(' '),
  ]);
  const header = ['property', 'id', 'type', 'access', 'change', 'range, unit', 'areas'];
  const left = header.map(() => 'left' as const);
  for (const line of columns([header, ...rows], left, terminal.tableWidth)) terminal.line(line);
  return 0;
}

function show(results: Results, configs: Configs, { terminal }: Invocation): number {
  if (terminal.json) for (const result of results) terminal.object(result);
  else for (const line of cockpitRows(results, configs, terminal.tableWidth)) terminal.line(line);
  return results.every(({ status }) => status === 'OK') ? 0 : 1;
}

async function watch(
  client: Client,
  wanted: Wanted,
  configs: Configs,
  rateHz: number,
  { terminal }: Invocation,
): Promise<number> {
  const byProp = new Map<string, number[]>();
  for (const { prop, area } of wanted)
    byProp.set(String(prop), [...(byProp.get(String(prop)) ?? []), area ?? 0]);
  const refused = (
    await client.subscribe(
      [...byProp].map(([prop, areas]) => ({
        prop,
        areas,
        ...(configs.find((config) => config.prop === prop)?.change_mode === 'CONTINUOUS'
          ? { rate_hz: rateHz }
          : {}),
      })),
    )
  ).filter(({ status }) => status !== 'OK');
  if (refused.length > 0) return show(refused, configs, { terminal } as Invocation);
  const view = new CockpitWatch(terminal, configs);
  for (;;) view.show(await client.next());
}

function readRate(text: string | undefined, verb: string): number {
  if (text === undefined) return 2;
  const rate = Number(text);
  if (verb !== 'watch') throw new DriveMcpError('USAGE', '--rate-hz goes with watch');
  if (text === '' || !(rate >= 1 && rate <= 20))
    throw new DriveMcpError('USAGE', `--rate-hz takes 1 to 20, got '${text}'`);
  return rate;
}
