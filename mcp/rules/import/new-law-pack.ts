/** The manifest of a pack that begins with an official text: documents first, rules are for its author to add. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { parseYaml } from '../format/located-yaml.js';
import { manifestSchema, packId } from '../format/manifest-schema.js';
import type { Rulepack } from '../format/rulepack.js';
import type { LawFormat } from './law-formats.js';

/** Base packs as §§ of the format say: unit, side and language of the country. */
const countries = {
  DE: { language: 'de', speed: 'km/h', distance: 'm', side: 'right', highest: 130 },
  GB: { language: 'en', speed: 'mph', distance: 'yd', side: 'left', highest: 70 },
  FR: { language: 'fr', speed: 'km/h', distance: 'm', side: 'right', highest: 130 },
  AT: { language: 'de', speed: 'km/h', distance: 'm', side: 'right', highest: 130 },
} as const;

/**
 * An empty pack in memory. `AUT` is a base pack of the country of the format; `GBR-WLS` an overlay over the pack GBR.
 * @throws DriveMcpError USAGE where the id does not fit the format or its base is not there
 */
export function newLawPack(
  folder: string,
  id: string,
  format: LawFormat,
  packs: ReadonlyMap<string, Rulepack>,
  today: string,
): { readonly pack: Rulepack; readonly manifest: string } {
  const [country, letters] = format.country;
  const part = id.slice(letters.length + 1);
  if (!packId.safeParse(id).success || !(id === letters || id.startsWith(`${letters}-`)))
    throw new DriveMcpError('USAGE', `'${id}' is no id for a pack of ${format.name} texts`, {
      hint: `--new ${letters}, or --new ${letters}-PART over the pack ${letters}`,
    });
  const base = part === '' ? null : packs.get(letters);
  if (base === undefined)
    throw new DriveMcpError('USAGE', `${id} needs the pack ${letters}, which is not there`);
  const facts = countries[country as keyof typeof countries];
  const path = base ? [...base.manifest.jurisdiction.path, `${country}-${part}`] : [country];
  const speeds =
    base?.manifest.legal_speeds ?? Array.from({ length: facts.highest / 10 }, (_, i) => (i + 1) * 10);
  const major = Number(base?.manifest.version.split('.')[0]);
  const manifest = `id: ${id}
version: 0.1.0
schema: rulepack/1
jurisdiction: { country: ${country}, path: [${path.join(', ')}] }
kind: ${base ? 'overlay' : 'base'}
extends: ${base ? `{ id: ${letters}, range: ">=${base.manifest.version} <${major + 1}.0.0" }` : 'null'}
language: [${base?.manifest.language[0] ?? facts.language}]
units: { speed: ${facts.speed}, distance: ${facts.distance} }
driving_side: ${facts.side}
valid: { from: ${today}, until: ${Number(today.slice(0, 4)) + 1}${today.slice(4, 8)}01 } # until = when somebody must look at it again
law_as_of: ${today}
legal_speeds: [${speeds.join(', ')}]
sources: []
maintainers: [you]
`;
  const parsed = parseYaml(`${folder}/pack.yaml`, manifest, manifestSchema);
  return {
    manifest,
    pack: { manifest: parsed, folder, version: `${id}@0.1.0`, documents: new Map(), rules: [] },
  };
}
