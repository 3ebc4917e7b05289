/** Tool schemas as JSON Schema 2020-12, made once: an instance of a server is built for every HTTP request. */
import type { StandardSchemaWithJSON, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { canonicalJson } from '../../daemon/core/canonical.js';
import { sha256Hex } from '../../daemon/core/sha256.js';
import type { ExpertTool } from './expert-tool.js';

type JsonSchema = { readonly type: 'object'; readonly [key: string]: unknown };

const made = {
  input: new WeakMap<z.ZodObject, JsonSchema>(),
  output: new WeakMap<z.ZodObject, JsonSchema>(),
};

export function toolSchemaJson(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const known = made[io].get(schema);
  if (known !== undefined) return known;
  const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io }) as JsonSchema;
  made[io].set(schema, json);
  return json;
}

/**
 * The schema as a server announces it. It lets every value pass: the tool itself checks what goes in and out, once, and
 * says in its own words what does not fit.
 */
export function announcedSchema(schema: z.ZodObject): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'drivemcp',
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input: () => ({ ...toolSchemaJson(schema, 'input') }),
        output: () => ({ ...toolSchemaJson(schema, 'output') }),
      },
    },
  };
}

/** Nothing is changed by a call, it can be repeated, and it asks nobody outside. */
export const readOnlyAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** A tool as `tools/list` shows it. */
export function listedTool(tool: ExpertTool) {
  const { name, title, description } = tool;
  return {
    name,
    title,
    description,
    inputSchema: toolSchemaJson(tool.input, 'input'),
    outputSchema: toolSchemaJson(tool.output, 'output'),
    annotations: { ...readOnlyAnnotations },
  } satisfies Tool;
}

export type ListedTool = Pick<Tool, 'name' | 'description' | 'inputSchema' | 'outputSchema'>;

/**
 * SHA-256 over the names, descriptions and schemas of a server's tools, sorted by name: what a client pins, so that a
 * server that changes what a model reads is noticed. The same from a definition and from what a server sent.
 */
export function toolListDigest(tools: readonly ListedTool[]): string {
  const pinned = tools
    .map(({ name, description, inputSchema, outputSchema }) => ({
      name,
      description,
      inputSchema,
      outputSchema,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return sha256Hex(canonicalJson(pinned));
}
