/** Reads a rulepack folder and refuses it, with file and key, when anything in it does not hold together. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { DriveMcpError } from '../../daemon/core/errors.js';
import {
  type DocumentHead,
  documentHeadSchema,
  manifestSchema,
  type PackManifest,
  type Rule,
  rulesFileSchema,
} from './pack-format.js';

export interface PackDocument {
  readonly head: DocumentHead;
  /** canonical text; spans count its UTF-16 code units */
  readonly body: string;
}

export interface Rulepack {
  readonly manifest: PackManifest;
  /** `DEU@1.0.0+ab12cd34ef56`: id, version, first six bytes of the tree hash */
  readonly version: string;
  readonly documents: ReadonlyMap<string, PackDocument>;
  readonly rules: readonly Rule[];
}

/** Every pack in a folder of packs, by id. */
export function loadRulepacks(folder: string): ReadonlyMap<string, Rulepack> {
  const packs = new Map<string, Rulepack>();
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (!entry.isDirectory()) continue;
    const pack = loadRulepack(join(folder, entry.name));
    if (pack.manifest.id !== entry.name) {
      throw invalid(join(folder, entry.name, 'pack.yaml'), 'id', `the folder is named ${entry.name}`);
    }
    packs.set(pack.manifest.id, pack);
  }
  return packs;
}

/** @throws DriveMcpError RULEPACK_INVALID with file and key, and line where the YAML itself is broken */
export function loadRulepack(folder: string): Rulepack {
  const manifest = readYaml(join(folder, 'pack.yaml'), manifestSchema);
  const documents = new Map<string, PackDocument>();
  for (const file of filesBelow(join(folder, 'docs'))) {
    const document = readPackDocument(file);
    if (documents.has(document.head.doc_id))
      throw invalid(file, 'doc_id', 'this id is taken by another document');
    documents.set(document.head.doc_id, document);
  }
  const rules: Rule[] = [];
  for (const file of filesBelow(join(folder, 'rules'))) {
    for (const rule of readYaml(file, rulesFileSchema)) {
      if (rules.some((other) => other.id === rule.id))
        throw invalid(file, rule.id, 'this rule id stands twice');
      checkCitations(rule, documents, file);
      rules.push(rule);
    }
  }
  return {
    manifest,
    version: `${manifest.id}@${manifest.version}+${treeHash(folder).slice(0, 12)}`,
    documents,
    rules,
  };
}

/** A rule whose cited span lacks what it asserts must not load: that is the guard against invented numbers. */
function checkCitations(rule: Rule, documents: ReadonlyMap<string, PackDocument>, file: string): void {
  for (const citation of rule.cite) {
    const document = documents.get(citation.doc);
    if (!document) throw invalid(file, rule.id, `cites ${citation.doc}, which the pack does not hold`);
    const span = document.head.spans[citation.span];
    if (!span) throw invalid(file, rule.id, `${citation.doc} has no span ${citation.span}`);
    const quote = document.body.slice(span[0], span[1]);
    const number = typeof rule.then.limit === 'number' ? [String(rule.then.limit)] : [];
    for (const needle of [...citation.must_contain, ...number]) {
      if (!quote.includes(needle)) {
        throw invalid(file, rule.id, `${citation.doc} ${citation.span} does not contain '${needle}'`);
      }
    }
  }
}

function readPackDocument(file: string): PackDocument {
  const text = readFileSync(file, 'utf8');
  const parts = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text);
  if (!parts) throw invalid(file, 'front matter', 'the file must begin with a block between lines of ---');
  const head = parseYaml(file, parts[1] ?? '', documentHeadSchema);
  const body = parts[2] ?? '';
  for (const [name, [start, end]] of Object.entries(head.spans)) {
    if (start >= end || end > body.length)
      throw invalid(file, `spans.${name}`, `[${start}, ${end}] is not inside the text`);
  }
  return { head, body };
}

function readYaml<T>(file: string, schema: z.ZodType<T>): T {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new DriveMcpError('FILE_MISSING', 'the rulepack lacks this file', { location: { file }, cause });
  }
  return parseYaml(file, text, schema);
}

function parseYaml<T>(file: string, text: string, schema: z.ZodType<T>): T {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken) {
    const at = broken.linePos?.[0];
    throw new DriveMcpError('RULEPACK_INVALID', broken.message.split('\n')[0] ?? 'not YAML', {
      location: { file, ...(at ? { line: at.line, column: at.col } : {}) },
    });
  }
  const parsed = schema.safeParse(document.toJS({ maxAliasCount: 0 }));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalid(file, issue?.path.join('.') ?? '', issue?.message ?? 'does not fit the format');
}

function treeHash(folder: string): string {
  const lines = filesBelow(folder)
    .filter((file) => !/\/pack\.(lock|sig)$/.test(file))
    .map(
      (file) =>
        `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${relative(folder, file)}\n`,
    );
  return createHash('sha256').update(lines.join('')).digest('hex');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function invalid(file: string, key: string, message: string): DriveMcpError {
  return new DriveMcpError('RULEPACK_INVALID', message, { location: { file, key } });
}
