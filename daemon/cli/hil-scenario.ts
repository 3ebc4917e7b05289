import { DriveMcpError } from '../core/errors.js';
import type { CommandSpec, Invocation } from './command.js';
import { loadScenario } from './scenario-files.js';

export const scenarioCommand: CommandSpec = {
  path: ['hil', 'scenario'],
  summary: 'checks scenario files; prints their JSON Schema; imports and exports OpenSCENARIO',
  positionals: 'check FILE… | schema | import FILE.xosc | export ID|FILE',
  arity: [1, 200],
  options: {
    out: {
      type: 'string',
      value: 'FILE',
      help: 'of import and export: what to write; default: named after the scenario',
    },
    map: { type: 'string', value: 'MAP|FILE', help: "of import: this map instead of the file's own" },
    'map-out': { type: 'string', value: 'FILE', help: 'of export: write the OpenDRIVE map too' },
    partial: { type: 'boolean', help: 'of import: write what can be taken over although parts cannot' },
  },
  details:
    'check reads the format first and then what only the map can tell: roads, lanes, signals, room to stand. What does\n' +
    'not fit is told with file, line, column and key. A bundled scenario may be named instead of a file.\n' +
    'import reads the part of OpenSCENARIO 1.0 that scenario_runner supports: Init with Teleport, Speed, Environment; stories\n' +
    'with Speed, LaneChange, signal states; triggers SimulationTime, RelativeDistance, TimeHeadway, TimeToCollision,\n' +
    'ReachPosition, TraveledDistance, Speed, StandStill. What it cannot take over it names with line and column, and writes\n' +
    'nothing without --partial. Headers that begin with CARLA: are left-handed. export writes that convention.',
  examples: [
    ['drivemcp hil scenario check mine.yaml', 'what is in it, or what is wrong and where'],
    ['drivemcp hil scenario schema > scenario.schema.json', 'for an editor that completes YAML'],
    ['drivemcp hil scenario export gantries --out gantries.xosc', 'for programs that read OpenSCENARIO'],
    [
      'drivemcp hil scenario import CutIn.xosc --map Town04.xodr --out cut-in.yaml',
      'then drivemcp hil view --scenario cut-in.yaml',
    ],
  ],
  run,
};

async function run(invocation: Invocation): Promise<number> {
  const [verb, ...files] = invocation.positionals;
  if (verb === 'schema' && files.length === 0) return schema(invocation);
  const [file] = files;
  if (verb !== 'import' && verb !== 'export') {
    const given = ['out', 'map', 'map-out', 'partial'].filter(
      (name) => invocation.values[name] !== undefined,
    );
    if (given.length > 0) throw new DriveMcpError('USAGE', `--${given[0]} goes with import or export`);
  }
  if (file !== undefined && files.length === 1 && (verb === 'import' || verb === 'export')) {
    const { importFile, exportFile } = await import('./scenario-exchange.js');
    return verb === 'import' ? importFile(file, invocation) : exportFile(file, invocation);
  }
  if (verb === 'check' && files.length > 0) return check(files, invocation);
  throw new DriveMcpError('USAGE', `drivemcp hil scenario takes ${scenarioCommand.positionals}`);
}

async function schema({ terminal }: Invocation): Promise<number> {
  const { scenarioJsonSchema } = await import('../../hil/scenarios/scenario-json-schema.js');
  if (terminal.json) terminal.object(scenarioJsonSchema());
  else terminal.line(JSON.stringify(scenarioJsonSchema(), null, 2));
  return 0;
}

async function check(files: readonly string[], { terminal }: Invocation): Promise<number> {
  for (const file of files) {
    const { world, family, title, stop, borders, map } = await loadScenario(file);
    const counts = {
      vehicles: world.vehicles.length,
      walkers: world.walkers.length,
      displays: world.displays.length,
      can_faults: world.faults?.length ?? 0,
    };
    if (terminal.json) {
      const { id, seed, map: name } = world;
      const between = borders.map(({ road, sM, from, to }) => ({ road, s_m: sM, from, to }));
      terminal.object({
        file,
        id,
        family,
        title,
        map: name,
        seed,
        ...counts,
        borders: between,
        stop_s: stop.atS,
        map_notes: map.notes,
      });
      continue;
    }
    terminal.line(`${file}: ${title}`);
    terminal.line(`  ${world.map}, seed ${world.seed}, ${stop.atS} s, family ${family}`);
    terminal.line(
      `  ${world.ego === null ? 'no ego' : `ego (${world.ego.brain})`}, ${counts.vehicles} vehicles, ${counts.walkers} walkers, ${counts.displays} changing signs, ${counts.can_faults} faults`,
    );
    for (const { road, sM, from, to, sideBefore, sideBehind } of borders)
      terminal.line(
        `  border ${from} to ${to} on road ${road} at ${sM.toFixed(0)} m, from the ${sideBefore} side to the ${sideBehind}`,
      );
    for (const note of map.notes) terminal.line(`  map: ${note}`);
  }
  return 0;
}
