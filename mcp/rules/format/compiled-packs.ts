/**
 * Packs that were read and checked when the program was built. Reading 250 rules as YAML takes a cold process about half
 * a second, reading them back as JSON a few milliseconds.
 *
 * A compiled pack answers only for exactly the files it was made from (by the hash of their tree) and for exactly the
 * code that made it (by the hash of this folder): whoever edits a pack, or builds anew, reads YAML again.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PackDocument, Rulepack } from './rulepack.js';

interface CompiledPack extends Pick<Rulepack, 'manifest' | 'version' | 'rules' | 'signs'> {
  readonly documents: readonly (readonly [id: string, versions: readonly PackDocument[]])[];
}

interface CompiledFile {
  readonly code: string;
  /** by tree hash; files of documents relative to the pack */
  readonly packs: Readonly<Record<string, CompiledPack>>;
}

const folder = dirname(fileURLToPath(import.meta.url));
const file = join(folder, '..', '..', '..', 'rulepacks.json');
let read: CompiledFile | null | undefined;

/** The pack whose files have this hash, or null. @param at its folder */
export function compiledPack(treeHash: string, at: string): Rulepack | null {
  read ??= readCompiled();
  const found = read?.packs[treeHash];
  if (!found) return null;
  const documents = new Map(
    found.documents.map(([id, versions]) => [
      id,
      versions.map((one) => ({ ...one, file: join(at, one.file) })),
    ]),
  );
  const { manifest, version, rules, signs = null } = found;
  return { manifest, version, rules, signs, documents, folder: at };
}

/** Writes the compiled form; to be called once after a build. */
export function writeCompiled(packs: ReadonlyMap<string, Rulepack>): string {
  const compiled: Record<string, CompiledPack> = {};
  for (const [treeHash, { manifest, version, rules, signs, documents, folder: at }] of packs) {
    const plain = [...documents].map(
      ([id, versions]) =>
        [id, versions.map((one) => ({ ...one, file: one.file.slice(at.length + 1) }))] as const,
    );
    compiled[treeHash] = { manifest, version, rules, signs, documents: plain };
  }
  // Made beside it and renamed: a process that starts meanwhile reads the old or the new one, never half of it.
  const text = JSON.stringify({ code: codeHash(), packs: compiled } satisfies CompiledFile);
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text);
  renameSync(fresh, file);
  read = undefined;
  return file;
}

function readCompiled(): CompiledFile | null {
  try {
    const parsed = JSON.parse(readFileSync(file, 'utf8')) as CompiledFile;
    return parsed.code === codeHash() ? parsed : null;
  } catch {
    return null; // not built, or unreadable: YAML says the same, only later
  }
}

/** Hash of the compiled code that reads and checks packs. */
function codeHash(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) {
    if (name.endsWith('.js')) hash.update(name).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}
