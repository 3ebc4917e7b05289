/** Encoders that come with the program, and public ones whose use is known here but whose files a user fetches. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type KnownEncoder, knownEncoderSchema, parseModelJson } from './encoder-manifest.js';

/** `mcp/rules/retrieval/models`, from the compiled code. */
export const bundledModels = fileURLToPath(
  new URL('../../../../mcp/rules/retrieval/models/', import.meta.url),
);

/** By name: what is published about encoders that fit here. None of their files is part of this program. */
export function knownEncoders(folder: string = bundledModels): ReadonlyMap<string, KnownEncoder> {
  const known = join(folder, 'known');
  const found = new Map<string, KnownEncoder>();
  for (const name of readdirSync(known).sort()) {
    const file = join(known, name);
    const one = parseModelJson(file, readFileSync(file, 'utf8'), knownEncoderSchema);
    found.set(one.name, one);
  }
  return found;
}
