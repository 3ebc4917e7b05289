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
  const json = portable(z.toJSONSchema(schema, { target: 'draft-2020-12', io })) as JsonSchema;
  made[io].set(schema, json);
  return json;
}

/**
 * Hosts translate schemas into dialects of their own, some of which know one type a value and no empty schema: a value
 * that may be null is said by branches, and a free-form object by `true`.
 */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, description, default: given, enum: words, ...others } = schema as Record<string, unknown>;
  const rest = Object.fromEntries(
    Object.entries(others).map(([key, value]) => [
      key,
      key === 'additionalProperties' && isEmpty(value)
        ? true
        : mapsOfSchemas.has(key)
          ? each(value)
          : portable(value),
    ]),
  );
  const said = {
    ...(description === undefined ? {} : { description }),
    ...(given === undefined ? {} : { default: given }),
  };
  if (!Array.isArray(type) || words !== undefined) {
    return {
      ...(type === undefined ? {} : { type }),
      ...said,
      ...(words === undefined ? {} : { enum: words }),
      ...rest,
    };
  }
  const branches = type.map((one: unknown) => (one === 'null' ? { type: one } : { type: one, ...rest }));
  return { ...said, anyOf: branches };
}

/** Their keys are names, not words of JSON Schema. */
const mapsOfSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs']);

function each(schemas: unknown): unknown {
  return Object.fromEntries(Object.entries(schemas as object).map(([name, one]) => [name, portable(one)]));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
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
