/**
 * The table of default speed limits that OpenStreetMap's wiki keeps, in the JSON form of osm-legal-default-speeds. Its
 * licence is share-alike (CC BY-SA 2.0), so no line of it comes with the program: the user gives a copy.
 */
import { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { parseYaml } from '../format/located-yaml.js';

const rowSchema = z.looseObject({
  /** absent: the default outside towns */
  name: z.string().max(200).optional(),
  /** `maxspeed`, `maxspeed:hgv:conditional`, …: values as in OSM */
  tags: z.record(z.string(), z.string()),
});
export type OsmSpeedRow = z.infer<typeof rowSchema>;

const tableSchema = z.looseObject({
  meta: z
    .looseObject({
      revisionId: z.string().optional(),
      timestamp: z.string().optional(),
      license: z.string().optional(),
    })
    .default({}),
  /** by ISO 3166 code: `DE`, `BE-VLG` */
  speedLimitsByCountryCode: z.record(z.string(), z.array(rowSchema)),
});
export type OsmSpeedTable = z.infer<typeof tableSchema>;

/** JSON is YAML: so an error has its line and key. @throws DriveMcpError SPEED_TABLE_INVALID */
export function parseOsmSpeedTable(file: string, text: string): OsmSpeedTable {
  try {
    return parseYaml(file, text, tableSchema);
  } catch (error) {
    if (!(error instanceof DriveMcpError)) throw error;
    throw new DriveMcpError('SPEED_TABLE_INVALID', error.message, { location: error.location, cause: error });
  }
}
