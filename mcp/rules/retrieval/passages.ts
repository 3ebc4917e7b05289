/** What is searched: the named spans of a pack's documents, each under its provision id. */
import { documentOn } from '../format/citations.js';
import type { PackDocument, Rulepack } from '../format/rulepack.js';
import type { Concept } from '../lexicon/concepts.js';
import { conceptsOfRule } from './concepts-of-rule.js';
import { isLanguage, type Language } from './stem-word.js';

export interface Passage {
  /** document and unit, as lawyers count: `de:stvo:p3.3.2.c`; several spans of one provision may share it */
  readonly id: string;
  readonly docId: string;
  readonly span: readonly [start: number, end: number];
  readonly packId: string;
  readonly language: Language;
  readonly tier: string;
  readonly title: string;
  readonly cite: string;
  readonly text: string;
  readonly validFrom: string;
  /** first day on which it no longer holds; `9999-12-31` = open */
  readonly validUntil: string;
  /** what the rules that cite it are about, in no language */
  readonly concepts: readonly Concept[];
  /** sign and plate codes of those rules */
  readonly codes: readonly string[];
}

/** @param line the pack and those that it extends, nearest first: rules of an overlay cite documents of its base */
export function passagesOf(packs: readonly Rulepack[]): Passage[] {
  const cited = citingRules(packs);
  return packs.flatMap((pack) =>
    [...pack.documents.values()].flat().flatMap((document) => spansOf(pack, document, cited)),
  );
}

interface Citing {
  readonly concepts: Set<Concept>;
  readonly codes: Set<string>;
}

/** By document file and span. */
function citingRules(packs: readonly Rulepack[]): ReadonlyMap<string, Citing> {
  const found = new Map<string, Citing>();
  for (const pack of packs) {
    const line = [pack, ...packs.filter((one) => one !== pack)];
    for (const rule of pack.rules) {
      const { concepts, codes } = conceptsOfRule(rule);
      for (const { doc, span } of rule.cite) {
        const document = documentOn(line, doc, rule.valid.from);
        if (!document) continue;
        const key = `${document.file}#${span}`;
        const known = found.get(key) ?? { concepts: new Set(), codes: new Set() };
        for (const concept of concepts) known.concepts.add(concept);
        for (const code of codes) known.codes.add(code);
        found.set(key, known);
      }
    }
  }
  return found;
}

function spansOf(pack: Rulepack, document: PackDocument, cited: ReadonlyMap<string, Citing>): Passage[] {
  const { head, body, file } = document;
  const language = isLanguage(head.lang) ? head.lang : 'en';
  const source = pack.manifest.sources.find(({ id }) => id === head.source);
  const names = Object.keys(head.spans);
  return names.map((name) => {
    const [start, end] = head.spans[name] ?? [0, body.length];
    const citing = cited.get(`${file}#${name}`);
    return {
      id: provisionId(head.doc_id, name, names.length),
      docId: head.doc_id,
      span: [start, end] as const,
      packId: pack.manifest.id,
      language,
      tier: source?.tier ?? 'statute',
      title: head.title,
      cite: head.cite,
      text: body.slice(start, end),
      validFrom: head.valid_from,
      validUntil: head.valid_until ?? '9999-12-31',
      concepts: [...(citing?.concepts ?? [])],
      codes: [...(citing?.codes ?? [])],
    };
  });
}

/**
 * Spans named by section, number and letter (`3.2.c`) are units of the law. Others (`cyclists`, `n1`) are names within
 * the pack, and the only span of a document is the document.
 */
export function provisionId(docId: string, spanName: string, spanCount: number): string {
  const isUnit = /^\d+[a-z]?(?:\.(?:\d+[a-z]?|[a-z]))*$/.test(spanName);
  return isUnit && spanCount > 1 && docId.split(':').length > 2 ? `${docId}.${spanName}` : docId;
}
