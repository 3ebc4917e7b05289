/** Reads rulepack folders and refuses them, with file, line and key, when anything in them does not hold together. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { readPackFolder } from '../integrity/pack-files.js';
import { treeHash } from '../integrity/pack-lock.js';
import { checkCitations } from './citations.js';
import { compiledPack } from './compiled-packs.js';
import { type DocumentHead, documentHeadSchema } from './document-schema.js';
import { parseYaml, refuse } from './located-yaml.js';
import { isInRange, manifestSchema } from './manifest-schema.js';
import { packFiles, readPackFile } from './pack-files.js';
import { type Rule, rulesFileSchema } from './rule-schema.js';
import type { PackDocument, Rulepack } from './rulepack.js';

/** Every pack in a folder of packs, by id; citations into the packs they extend are checked too. */
export function loadRulepacks(folder: string): ReadonlyMap<string, Rulepack> {
  const packs = new Map<string, Rulepack>();
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || !existsSync(join(path, 'pack.yaml'))) continue;
    const pack = readRulepack(path);
    if (pack.manifest.id !== entry.name)
      throw refuse(join(path, 'pack.yaml'), `the folder is named ${entry.name}`, undefined, 'id');
    packs.set(pack.manifest.id, pack);
  }
  for (const pack of packs.values()) {
    checkPack(pack, packs);
    const twin = twinOf(pack, packs);
    if (twin)
      throw refuse(
        join(pack.folder, 'pack.yaml'),
        `${twin} is the base of this place as well`,
        undefined,
        'jurisdiction.path',
      );
  }
  return packs;
}

/** Another base pack for the same place: nobody could say which of them holds. */
export function twinOf({ manifest }: Rulepack, packs: ReadonlyMap<string, Rulepack>): string | undefined {
  if (manifest.kind !== 'base') return undefined;
  const path = manifest.jurisdiction.path.join('/');
  return [...packs.values()]
    .map((other) => other.manifest)
    .find(
      (other) =>
        other.kind === 'base' && other.id !== manifest.id && other.jurisdiction.path.join('/') === path,
    )?.id;
}

/** One pack, with those that it extends. @throws DriveMcpError RULEPACK_INVALID, FILE_MISSING */
export function loadRulepack(folder: string, others: ReadonlyMap<string, Rulepack> = new Map()): Rulepack {
  const pack = readRulepack(folder);
  checkPack(pack, others);
  return pack;
}

/** The pack and its ancestors, nearest first. @throws DriveMcpError RULEPACK_INVALID where one is missing or they go in a circle */
export function withAncestors(pack: Rulepack, packs: ReadonlyMap<string, Rulepack>): Rulepack[] {
  const line = [pack];
  for (let at = pack; at.manifest.extends !== null; ) {
    const { id, range } = at.manifest.extends;
    const file = join(at.folder, 'pack.yaml');
    const parent = packs.get(id);
    if (!parent) throw refuse(file, `extends ${id}, which is not there`, undefined, 'extends.id');
    if (line.includes(parent) || id === pack.manifest.id)
      throw refuse(file, `${id} extends it in turn`, undefined, 'extends.id');
    if (!isInRange(parent.manifest.version, range)) {
      throw refuse(
        file,
        `needs ${id} ${range}, there is ${parent.manifest.version}`,
        undefined,
        'extends.range',
      );
    }
    line.push(parent);
    at = parent;
  }
  return line;
}

/** What only shows beside the packs that it extends. @throws DriveMcpError RULEPACK_INVALID */
export function checkPack(pack: Rulepack, packs: ReadonlyMap<string, Rulepack>): void {
  const { manifest, folder } = pack;
  const file = join(folder, 'pack.yaml');
  if ((manifest.kind === 'base') !== (manifest.extends === null)) {
    throw refuse(
      file,
      manifest.kind === 'base'
        ? 'a base pack extends nothing'
        : `a pack of kind ${manifest.kind} extends another`,
      undefined,
      'extends',
    );
  }
  const line = withAncestors(pack, packs);
  for (const parent of line.slice(1)) {
    const { country } = parent.manifest.jurisdiction;
    if (country !== manifest.jurisdiction.country)
      throw refuse(file, `extends ${parent.manifest.id} of another country`, undefined, 'extends.id');
  }
  for (const source of pack.documents.values()) {
    for (const { head, file: where } of source) {
      if (!line.some((one) => one.manifest.sources.some(({ id }) => id === head.source)))
        throw refuse(where, `the manifest has no source ${head.source}`, undefined, 'source');
    }
  }
  const unit = manifest.units.speed;
  for (const rule of pack.rules) {
    const { limit } = rule.then;
    const where = join(folder, 'rules');
    if (limit && 'unit' in limit && limit.unit !== unit)
      throw refuse(where, `the pack counts in ${unit}`, undefined, `${rule.id}.then.limit.unit`);
    checkCitations(rule, line, where);
  }
}

/** One pack by itself, before `checkPack`. @throws DriveMcpError RULEPACK_INVALID, FILE_MISSING */
export function readRulepack(folder: string): Rulepack {
  if (!existsSync(join(folder, 'pack.yaml'))) {
    throw new DriveMcpError('FILE_MISSING', 'the rulepack lacks this file', {
      location: { file: join(folder, 'pack.yaml') },
    });
  }
  const hash = treeHash(readPackFolder(folder));
  const compiled = compiledPack(hash, folder);
  if (compiled) return compiled;
  const files = packFiles(folder);
  const manifest = parseYaml(join(folder, 'pack.yaml'), readPackFile(folder, 'pack.yaml'), manifestSchema);
  const documents = new Map<string, PackDocument[]>();
  for (const path of files.filter((one) => /^docs\/.*\.md$/.test(one))) {
    const document = parseDocumentFile(join(folder, path), readPackFile(folder, path));
    const versions = documents.get(document.head.doc_id) ?? [];
    if (versions.some((other) => overlap(other.head, document.head)))
      throw refuse(
        document.file,
        'this id is taken by another document of the same time',
        undefined,
        'doc_id',
      );
    documents.set(
      document.head.doc_id,
      [...versions, document].sort((a, b) => (a.head.valid_from > b.head.valid_from ? -1 : 1)),
    );
  }
  const rules: Rule[] = [];
  const seen = new Set<string>();
  for (const path of files.filter((one) => /^rules\/.*\.ya?ml$/.test(one))) {
    const file = join(folder, path);
    for (const rule of parseYaml(file, readPackFile(folder, path), rulesFileSchema)) {
      if (seen.has(rule.id)) throw refuse(file, 'this rule id stands twice', undefined, rule.id);
      seen.add(rule.id);
      rules.push(rule);
    }
  }
  const version = `${manifest.id}@${manifest.version}+${hash.slice(0, 12)}`;
  return { manifest, folder, version, documents, rules };
}

function overlap(a: DocumentHead, b: DocumentHead): boolean {
  const end = (head: DocumentHead): string => head.valid_until ?? '9999-12-31';
  return a.valid_from < end(b) && b.valid_from < end(a);
}

/** @throws DriveMcpError RULEPACK_INVALID */
export function parseDocumentFile(file: string, text: string): PackDocument {
  const parts = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text);
  if (!parts)
    throw refuse(
      file,
      'the file must begin with a block between lines of ---',
      { line: 1, column: 1 },
      'front matter',
    );
  const head = parseYaml(file, parts[1] ?? '', documentHeadSchema, 1);
  const body = parts[2] ?? '';
  if (/[\u{10000}-\u{10ffff}]/u.test(body))
    throw refuse(file, 'characters beyond U+FFFF would make two counts of the text');
  for (const [name, [start, end]] of Object.entries(head.spans)) {
    if (start >= end || end > body.length)
      throw refuse(
        file,
        `[${start}, ${end}] is not inside the text of ${body.length} characters`,
        undefined,
        `spans.${name}`,
      );
  }
  return { head, body, file };
}
