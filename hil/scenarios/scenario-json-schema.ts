import { z } from 'zod';
import { scenarioSchema } from './scenario-schema.js';

/** The format of scenario files as JSON Schema (draft 2020-12), for editors. */
export function scenarioJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(scenarioSchema, { target: 'draft-2020-12', io: 'input' });
  return { ...schema, title: 'DriveMCP scenario of the simulator' };
}
