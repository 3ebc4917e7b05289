/** `hil scenario import|export`: OpenSCENARIO 1.0 files. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { stringify } from 'yaml';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import { systemClock } from '../runtime/clock.js';
import { readBounded } from '../runtime/read-bounded.js';
import { booleanOption, type Invocation, stringOption } from './command.js';
import { loadScenario, readMapFile } from './scenario-files.js';
import { count } from './table.js';

const xoscMaxBytes = 8 * 1_048_576;

/** @throws DriveMcpError USAGE, FILE_*, SCENARIO_INVALID, MAP_INVALID */
export async function importFile(file: string, { values, terminal }: Invocation): Promise<number> {
  const { importScenario } = await import('../../hil/scenarios/openscenario/import-scenario.js');
  const { readScenario } = await import('../../hil/scenarios/scenario-file.js');
  const { readOpenDrive } = await import('../../hil/opendrive/read-map.js');
  const { mapNames, mapText } = await import('../../hil/sim/maps/map-catalogue.js');
  const out = outOf(stringOption(values, 'out'), `${basename(file).replace(/\.xosc$/i, '')}.yaml`);
  const bytes = readBounded(file, {
    maxBytes: xoscMaxBytes,
    tooLarge: 'SCENARIO_INVALID',
    what: 'a scenario',
  });
  const folder = dirname(resolve(file));
  const textOf = (name: string, from: string): string => {
    if (name.endsWith('.xodr')) return readMapFile(resolve(from, name));
    if (mapNames.includes(name)) return mapText(name);
    throw new DriveMcpError('MAP_INVALID', `there is no map ${name.slice(0, 80)} here`, {
      location: { file },
      hint: `--map FILE.xodr, or one of ${mapNames.join(', ')}`,
    });
  };
  const own = stringOption(values, 'map');
  const map = own?.endsWith('.xodr') === true ? resolve(own) : (own ?? null);
  const { data, findings } = importScenario({
    file,
    text: new TextDecoder().decode(bytes),
    id: idOf(file),
    map,
    readMap: (name) => readOpenDrive(textOf(name, folder), name),
  });
  const isPartial = booleanOption(values, 'partial');
  for (const { line, column, element, message } of findings)
    if (terminal.json) terminal.object({ event: 'left_out', line, column, element, message });
    else terminal.message(`${file}:${line}:${column}: <${element}>: ${message}`);
  if (findings.length > 0 && !isPartial)
    throw new DriveMcpError('SCENARIO_INVALID', `${count(findings.length, 'part')} cannot be taken over`, {
      location: { file },
      hint: '--partial writes the rest all the same',
    });
  // A map beside the scenario is named from where the scenario is written.
  const name = String(data['map']);
  if (name.endsWith('.xodr')) data['map'] = relative(dirname(out), resolve(folder, name));
  const text = stringify(data);
  const read = readScenario({ file: out, text, readMap: (path) => textOf(path, dirname(out)) });
  write(out, text);
  const { vehicles, walkers } = read.world;
  if (terminal.json)
    terminal.object({
      event: 'imported',
      file: out,
      id: read.world.id,
      vehicles: vehicles.length,
      walkers: walkers.length,
      left_out: findings.length,
    });
  else
    terminal.line(
      `${out}: ${read.title}; ${count(vehicles.length, 'vehicle')}, ${count(walkers.length, 'walker')}`,
    );
  return 0;
}

/** @throws DriveMcpError USAGE, FILE_*, SCENARIO_INVALID, MAP_INVALID */
export async function exportFile(nameOrFile: string, { values, terminal }: Invocation): Promise<number> {
  const { exportScenario } = await import('../../hil/scenarios/openscenario/export-scenario.js');
  const { mapNames } = await import('../../hil/sim/maps/map-catalogue.js');
  const { world, family, title, stop, map, mapText } = await loadScenario(nameOrFile);
  const out = outOf(stringOption(values, 'out'), `${world.id}.xosc`);
  const isBundled = mapNames.includes(world.map);
  const mapName = isBundled ? world.map : `${world.map}.xodr`;
  const { text, notes } = exportScenario({
    world,
    family,
    title,
    stop,
    mapName,
    date: new Date(systemClock.wallMs()).toISOString(),
    map,
  });
  write(out, text);
  const mapOut = stringOption(values, 'map-out');
  if (mapOut !== undefined) write(mapOut, mapText);
  for (const note of notes) terminal.message(`drivemcp: ${note}`);
  if (terminal.json) terminal.object({ event: 'exported', file: out, map: mapName, notes });
  else terminal.line(`${out}: ${title}; map ${mapName}`);
  return 0;
}

function outOf(out: string | undefined, fallback: string): string {
  if (out === '') throw new DriveMcpError('USAGE', '--out needs the name of a file');
  if (out === undefined && existsSync(fallback))
    throw new DriveMcpError('USAGE', `${fallback} is there already: name one with --out`);
  return out ?? fallback;
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    throw new DriveMcpError('FILE_UNWRITABLE', `cannot write: ${causeText(cause)}`, {
      location: { file: path },
      cause,
    });
  }
}

/** Lower-case words joined by hyphens. */
function idOf(file: string): string {
  const words = basename(file)
    .replace(/\.xosc$/i, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return words.join('-').slice(0, 60).replace(/-$/, '') || 'imported';
}
