/** JSON Schemas of the pack files, made from the schemas that check them, for editors and other programs. */
import { z } from 'zod';
import { documentHeadSchema } from './document-schema.js';
import { manifestSchema } from './manifest-schema.js';
import { rulesFileSchema } from './rule-schema.js';
import { citeTestsSchema, conductTestsSchema, limitTestsSchema, querySchema } from './test-schema.js';

const schemas = {
  pack: manifestSchema,
  document: documentHeadSchema,
  rules: rulesFileSchema,
  'limit-tests': limitTestsSchema,
  'conduct-tests': conductTestsSchema,
  'cite-tests': citeTestsSchema,
  query: querySchema,
} as const;

/** File name → text, as they stand in `rulepacks/schema`. */
export function jsonSchemaFiles(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(schemas).map(([name, schema]) => [
      `${name}.json`,
      `${JSON.stringify(z.toJSONSchema(schema, { io: 'input' }), null, 2)}\n`,
    ]),
  );
}
