/** Scenario files: the bundled ones by name, others by path. */
import { readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import { packageFile } from '../runtime/package-root.js';
import { readBounded } from '../runtime/read-bounded.js';

const folder = packageFile('hil', 'scenarios', 'world');
const scenarioMaxBytes = 1_048_576;
/** Town12's text has some 20 MB */
const mapMaxBytes = 64 * 1_048_576;

/** Names of the bundled scenario files. */
export function bundledScenarioNames(): readonly string[] {
  return readdirSync(folder)
    .flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -5)] : []))
    .sort();
}

/**
 * The scenario of a bundled name, or of a file: what ends in .yaml, .yml or .json, or has a slash.
 * @throws DriveMcpError USAGE, FILE_MISSING, FILE_UNREADABLE, SCENARIO_INVALID, MAP_INVALID
 */
export async function loadScenario(nameOrFile: string) {
  const isFile = /\.(ya?ml|json)$|\//.test(nameOrFile);
  if (!isFile && !bundledScenarioNames().includes(nameOrFile))
    throw new DriveMcpError('USAGE', `there is no scenario '${nameOrFile}'`, {
      hint: `bundled: ${bundledScenarioNames().join(', ')}; or the path of a file`,
    });
  const { readScenario } = await import('../../hil/scenarios/scenario-file.js');
  const path = isFile ? nameOrFile : packageFile('hil', 'scenarios', 'world', `${nameOrFile}.yaml`);
  const text = readText(path, scenarioMaxBytes, 'SCENARIO_INVALID', 'a scenario');
  return readScenario({
    file: isFile ? nameOrFile : `${nameOrFile}.yaml`,
    text,
    readMap: (map) => readMapFile(resolve(dirname(path), map)),
  });
}

/** OpenDRIVE text of a file. */
export function readMapFile(path: string): string {
  return readText(path, mapMaxBytes, 'MAP_INVALID', 'a map');
}

function readText(
  path: string,
  maxBytes: number,
  tooLarge: 'MAP_INVALID' | 'SCENARIO_INVALID',
  what: string,
): string {
  return new TextDecoder().decode(readBounded(path, { maxBytes, tooLarge, what }));
}
