/** `model.json` beside a sentence encoder: what it is, whose it is, how it is used, and the digests of its files. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';

export const modelFile = 'model.onnx';
export const tokenizerFile = 'tokenizer.json';
export const manifestFile = 'model.json';

const digest = z.string().regex(/^[0-9a-f]{64}$/, 'SHA-256 as 64 hexadecimal digits');

/** Lower case, so that a name is one folder on every file system; never a path. */
export const modelName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'a name of lower-case letters, digits and . _ -');

/** What is known of an encoder before its files are at hand. */
const facts = {
  kind: z.literal('encoder'),
  name: modelName,
  title: z.string().min(1).max(200),
  licence: z.string().min(1).max(100),
  /** whose work it is and where it is described; shown, never opened */
  source: z.string().min(1).max(300),
  dimensions: z.number().int().min(8).max(4096),
  /** tokens of one text that reach the model, special ones included; what is longer is cut and counted */
  max_tokens: z.number().int().min(8).max(8192),
  /** mean over the attention mask, the vector of the first token, or none: the graph gives one vector a text */
  pooling: z.enum(['mean', 'cls', 'none']),
  /** name in the graph; default: its only output */
  output: z.string().min(1).max(100).optional(),
  query_prefix: z.string().max(200).default(''),
  passage_prefix: z.string().max(200).default(''),
  /** mean cosine of random pairs; measured when the model is loaded where it is not given */
  random_cosine: z.number().min(-0.5).max(0.99).optional(),
};

export const knownEncoderSchema = z.strictObject(facts);
export type KnownEncoder = z.infer<typeof knownEncoderSchema>;

export const encoderManifestSchema = z.strictObject({
  ...facts,
  files: z.strictObject({ [modelFile]: digest, [tokenizerFile]: digest }),
  /** true: the digests were taken from the files themselves when they were installed, not given by somebody else */
  pinned_here: z.literal(true).optional(),
});
export type EncoderManifest = z.infer<typeof encoderManifestSchema>;

/** @throws DriveMcpError MODEL_INVALID with file and key */
export function parseManifest(file: string, text: string): EncoderManifest {
  return parseModelJson(file, text, encoderManifestSchema);
}

/** @throws DriveMcpError MODEL_INVALID with file and key */
export function parseModelJson<T>(file: string, text: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DriveMcpError('MODEL_INVALID', `not JSON: ${(cause as Error).message}`, {
      location: { file },
      cause,
    });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new DriveMcpError('MODEL_INVALID', issue?.message ?? 'not a manifest', {
    location: { file, key: issue?.path.join('.') ?? '' },
  });
}

/** Name and the first six bytes of a hash over everything that decides what comes out. */
export function encoderId(manifest: EncoderManifest): string {
  const { name, files, dimensions, max_tokens, pooling, output, query_prefix, passage_prefix } = manifest;
  const decisive = [
    files[modelFile],
    files[tokenizerFile],
    dimensions,
    max_tokens,
    pooling,
    output ?? '',
    query_prefix,
    passage_prefix,
  ];
  const hash = createHash('sha256').update(JSON.stringify(decisive)).digest('hex');
  return `${name}@${hash.slice(0, 12)}`;
}
