/** What a simulator is started with: a scenario, or a map alone; options that `hil serve` and `hil view` share. */
import { basename } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import { type OptionSpec, type OptionValues, stringOption } from './command.js';
import { countOption } from './count-option.js';
import { loadScenario, readMapFile } from './scenario-files.js';

export const scenarioOptions = {
  scenario: { type: 'string', value: 'ID|FILE', help: 'bundled scenario, or a scenario file' },
  map: {
    type: 'string',
    value: 'MAP|FILE',
    help: 'a map alone instead: a bundled one or an OpenDRIVE file; default town-deu',
  },
  seed: { type: 'string', value: 'N', help: "other noise and ways than the scenario's own" },
} as const satisfies Record<string, OptionSpec>;

export async function servedScenario(values: OptionValues) {
  const [name, map] = [stringOption(values, 'scenario'), stringOption(values, 'map')];
  const seed = countOption(values, 'seed');
  if (seed !== undefined && seed > 999_999_999)
    throw new DriveMcpError('USAGE', '--seed takes a whole number up to 999999999');
  if (name !== undefined) {
    if (map !== undefined) throw new DriveMcpError('USAGE', '--scenario names its map: leave out --map');
    const { world, mapText, stop, title } = await loadScenario(name);
    return { world: seed === undefined ? world : { ...world, seed }, mapText, stop, title };
  }
  const { mapAlone } = await import('../../hil/scenarios/map-alone.js');
  const { readOpenDrive } = await import('../../hil/opendrive/read-map.js');
  const { mapText } = await import('../../hil/sim/maps/map-catalogue.js');
  const chosen = map ?? 'town-deu';
  const isFile = chosen.endsWith('.xodr');
  const text = isFile ? readMapFile(chosen) : mapText(chosen);
  // Read once here, so that a map that is none ends the command before a port is open.
  if (isFile) readOpenDrive(text, chosen);
  const world = mapAlone(isFile ? basename(chosen, '.xodr') : chosen, seed ?? 1);
  return { world, mapText: text, stop: null, title: `map ${world.map}` };
}
