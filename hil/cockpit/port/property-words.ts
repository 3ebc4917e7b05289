/** Properties, areas and values as people write them: `HVAC_FAN_SPEED@ROW_1_LEFT=5`, `HEADLIGHTS_SWITCH=ON`, `0x11600207`. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { PropertyValue } from '../vhal/property-config.js';
import { areaByName } from '../vhal/property-id.js';
import type { ConfigObject, Wanted } from './cockpit-client.js';

/** All areas that are meant. An area that is a sum means every area of the property that lies in it. @throws USAGE */
export function readWish(word: string, configs: readonly ConfigObject[]): readonly Required<Wanted>[] {
  const [name = '', areaText, ...rest] = word.split('@');
  if (rest.length > 0) throw new DriveMcpError('USAGE', `'${word}': PROP[@AREA]`);
  const config = configOf(name, configs);
  const all = config.areas.map(({ area }) => area);
  if (areaText === undefined) return all.map((area) => ({ prop: config.prop, area }));
  const area = areaByName(config.id, areaText);
  if (area === undefined)
    throw new DriveMcpError('USAGE', `${config.prop} has no area '${areaText}'`, {
      hint: `it has ${config.areas.map((one) => one.name).join(', ')}`,
    });
  if (all.includes(area)) return [{ prop: config.prop, area }];
  const within = all.filter((one) => one !== 0 && (one & area) === one);
  // None of its areas: the port says so, with its status.
  return (within.length === 0 ? [area] : within).map((one) => ({ prop: config.prop, area: one }));
}

/** @throws USAGE where it is none; a value of a wrong type goes as it is, to be refused by the port */
export function readAssignment(
  word: string,
  configs: readonly ConfigObject[],
): readonly (Required<Wanted> & { readonly value: PropertyValue })[] {
  const at = word.indexOf('=');
  if (at < 1) throw new DriveMcpError('USAGE', `'${word}': PROP[@AREA]=VALUE`);
  const wishes = readWish(word.slice(0, at), configs);
  const config = configOf(word.slice(0, at).split('@')[0] ?? '', configs);
  const value = readValue(word.slice(at + 1), config);
  return wishes.map((wish) => ({ ...wish, value }));
}

function configOf(name: string, configs: readonly ConfigObject[]): ConfigObject {
  const isNumber = /^(0x[0-9a-f]{1,8}|\d{1,10})$/i.test(name);
  const found = configs.find((config) =>
    isNumber ? config.id === Number(name) : config.prop === name.toUpperCase(),
  );
  if (found === undefined)
    throw new DriveMcpError('USAGE', `the port has no property '${name.slice(0, 80)}'`, {
      hint: 'drivemcp hil cockpit list --socket PATH shows all of them',
    });
  return found;
}

function readValue(text: string, { values, type }: ConfigObject): PropertyValue {
  const named = values?.[text.toUpperCase()];
  if (named !== undefined) return named;
  if (type === 'BOOLEAN') {
    if (/^(true|on|1)$/i.test(text)) return true;
    if (/^(false|off|0)$/i.test(text)) return false;
  }
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}
