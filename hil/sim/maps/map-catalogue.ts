/** The maps that come with the simulator, as OpenDRIVE text. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { borderMap } from './border.js';
import { mapCountries } from './country.js';
import { motorwayMap } from './motorway.js';
import type { MapSpec } from './road-spec.js';
import { ruralMap } from './rural.js';
import { townMap } from './town.js';
import { writeOpenDrive } from './write-open-drive.js';

const makers: Readonly<Record<string, () => MapSpec>> = {
  'town-deu': () => townMap(mapCountries.DEU),
  'town-gbr': () => townMap(mapCountries.GBR),
  'town-fra': () => townMap(mapCountries.FRA),
  'rural-deu': () => ruralMap(mapCountries.DEU),
  'rural-gbr': () => ruralMap(mapCountries.GBR),
  'rural-pol': () => ruralMap(mapCountries.POL),
  'motorway-deu': () => motorwayMap(mapCountries.DEU),
  'motorway-gbr': () => motorwayMap(mapCountries.GBR),
  'motorway-cze': () => motorwayMap(mapCountries.CZE),
  'border-deu-gbr': () => borderMap(mapCountries.DEU, mapCountries.GBR),
};

export const mapNames: readonly string[] = Object.keys(makers);

/** OpenDRIVE text of a map by name; throws USAGE with the names there are. */
export function mapText(name: string): string {
  const make = makers[name];
  if (make === undefined)
    throw new DriveMcpError(
      'USAGE',
      `no map ${JSON.stringify(name.slice(0, 80))}; there are ${mapNames.join(', ')}`,
    );
  return writeOpenDrive(make());
}
