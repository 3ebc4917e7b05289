import { DriveMcpError } from '../core/errors.js';
import type { CommandSpec, Invocation } from './command.js';
import { loadScenario } from './scenario-files.js';

export const scenarioCommand: CommandSpec = {
  path: ['hil', 'scenario'],
  summary: 'checks scenario files; prints their JSON Schema',
  positionals: 'check FILE… | schema',
  arity: [1, 200],
  options: {},
  details:
    'check reads the format first and then what only the map can tell: roads, lanes, signals, room to stand. What does\n' +
    'not fit is told with file, line, column and key. A bundled scenario may be named instead of a file.',
  examples: [
    ['drivemcp hil scenario check mine.yaml', 'what is in it, or what is wrong and where'],
    ['drivemcp hil scenario schema > scenario.schema.json', 'for an editor that completes YAML'],
  ],
  run,
};

async function run(invocation: Invocation): Promise<number> {
  const [verb, ...files] = invocation.positionals;
  if (verb === 'schema' && files.length === 0) return schema(invocation);
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
