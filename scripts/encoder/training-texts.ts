/**
 * What the encoder learns from, all of it part of this repository: documents of the packs, their titles, the thesauri of
 * the packs, the lexicons (words for the same concept in several languages), the meanings of signs, and the structured
 * rules, which say which situation a provision is about. No question of any test or evaluation is read.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { SignMeaning } from '../../daemon/core/signs/sign-meanings.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import type { Condition } from '../../mcp/rules/format/rule-schema.js';
import type { Rulepack } from '../../mcp/rules/format/rulepack.js';
import { signName } from '../../mcp/rules/signs/explain-sign.js';
import type { ExplainedLanguage } from '../../mcp/rules/signs/meanings.js';
import { meaningsDe } from '../../mcp/rules/signs/meanings-de.js';
import { meaningsEn } from '../../mcp/rules/signs/meanings-en.js';
import { meaningsFr } from '../../mcp/rules/signs/meanings-fr.js';

/** Phrases by language. */
export type Phrases = Readonly<Record<string, readonly string[]>>;

export interface Passage {
  /** of its document */
  readonly doc: string;
  readonly title: string;
  readonly text: string;
}

export interface TrainingTexts {
  readonly passages: readonly Passage[];
  readonly concepts: ReadonlyMap<string, Phrases>;
  /** a situation in concepts, and the passages that rule it */
  readonly situations: readonly {
    readonly concepts: readonly string[];
    readonly passages: readonly Passage[];
  }[];
  /** what drivers say, what the documents say */
  readonly synonyms: readonly { readonly say: readonly string[]; readonly law: readonly string[] }[];
  /** the same sign in several languages, and the passages about it */
  readonly signs: readonly { readonly texts: readonly string[]; readonly passages: readonly Passage[] }[];
}

/** @param folder of the rulepacks */
export function readTrainingTexts(folder: string): TrainingTexts {
  const packs = loadRulepacks(folder);
  const passages = [...packs.values()].flatMap(passagesOf);
  const concepts = readConcepts(join(folder, 'lexicon'));
  const about = (doc: string, span?: string): Passage[] => {
    const all = passages.filter((one) => one.doc === doc);
    return span === undefined ? all : all.filter((one) => one.text === spanText(packs, doc, span));
  };
  const situations = [...packs.values()].flatMap(({ rules }) =>
    rules.flatMap((rule) => {
      const cited = rule.cite.flatMap(({ doc, span }) => about(doc, span));
      const named = [
        ...(rule.topic ? [`topic.${rule.topic}`] : []),
        ...conceptsOf(rule.when),
        ...(rule.then.limit ? ['ask.limit'] : []),
      ].filter((concept) => concepts.has(concept));
      return named.length === 0 || cited.length === 0
        ? []
        : [{ concepts: [...new Set(named)], passages: cited }];
    }),
  );
  return { passages, concepts, situations, ...readLexicalFiles(folder, [...packs.keys()], about) };
}

/** Each span, and each document as a whole. */
function passagesOf({ documents }: Rulepack): Passage[] {
  return [...documents.values()].flat().flatMap(({ head, body }) => {
    const spans = Object.values(head.spans).map(([start, end]) => body.slice(start, end));
    return [...new Set([body.trim(), ...spans])].map((text) => ({
      doc: head.doc_id,
      title: head.title,
      text,
    }));
  });
}

function spanText(packs: ReadonlyMap<string, Rulepack>, doc: string, span: string): string | null {
  for (const { documents } of packs.values()) {
    const found = documents.get(doc)?.[0];
    const range = found?.head.spans[span];
    if (found && range) return found.body.slice(...range);
  }
  return null;
}

/** Concepts that stand in a condition; what it excludes is not what it is about. */
function conceptsOf(condition: Condition): string[] {
  if ('all' in condition) return (condition.all as Condition[]).flatMap(conceptsOf);
  if ('any' in condition) return (condition.any as Condition[]).flatMap(conceptsOf);
  if ('not' in condition) return [];
  return Object.entries(condition).flatMap(([key, value]) => {
    if (key === 'road_class' || key === 'road_subclass') return [`road.${String(value)}`];
    if (key === 'carriageway') return value === 'separated' ? ['road.dual_carriageway'] : [];
    if (key === 'vehicle.class') return [`vehicle.${String(value)}`];
    if (key === 'vehicle.trailer') return ['vehicle.car_trailer', 'fact.trailer'];
    if (key === 'vehicle.electric') return ['vehicle.car_ev'];
    if (key === 'precipitation' || key === 'road_surface') return ['fact.wet'];
    if (key === 'visibility_m') return ['fact.fog', 'fact.snow'];
    if (key === 'traffic') return [`fact.${String(value)}`];
    if (key === 'gantry.face') return ['sign.gantry', ...(value === 'redx' ? ['sign.red_x'] : [])];
    if (key === 'plate.code') return ['sign.plate'];
    return [`fact.${key.split('.').at(-1)}`];
  });
}

/** `rulepacks/lexicon/LANG.yaml`: a concept and its phrases, separated by commas, with marks of how they are matched. */
function readConcepts(folder: string): Map<string, Phrases> {
  const concepts = new Map<string, Record<string, string[]>>();
  if (!existsSync(folder)) return concepts;
  for (const name of readdirSync(folder).sort()) {
    const { lang, concepts: found } = parse(readFileSync(join(folder, name), 'utf8')) as {
      lang: string;
      concepts: Record<string, string>;
    };
    for (const [concept, phrases] of Object.entries(found)) {
      const words = phrases.split(',').map((phrase) => phrase.replace(/[!?*~]/g, ' ').trim());
      const entry = concepts.get(concept) ?? {};
      entry[lang] = words.filter((word) => word !== '');
      concepts.set(concept, entry);
    }
  }
  return concepts;
}

function readLexicalFiles(
  folder: string,
  packs: readonly string[],
  about: (doc: string) => Passage[],
): Pick<TrainingTexts, 'synonyms' | 'signs'> {
  const synonyms: { say: string[]; law: string[] }[] = [];
  const signs: { texts: string[]; passages: Passage[] }[] = [];
  for (const pack of packs) {
    const lexical = join(folder, pack, 'lex');
    for (const name of existsSync(lexical) ? readdirSync(lexical).sort() : []) {
      if (!name.startsWith('thesaurus.')) continue;
      const { entries } = parse(readFileSync(join(lexical, name), 'utf8')) as { entries: typeof synonyms };
      synonyms.push(...entries);
    }
    const table = join(folder, pack, 'signs.yaml');
    if (!existsSync(table)) continue;
    const { signs: listed } = parse(readFileSync(table, 'utf8')) as {
      signs?: { meaning: SignMeaning; cite?: { doc: string } }[];
    };
    for (const { meaning, cite } of listed ?? []) {
      const told = Object.entries({ de: meaningsDe, en: meaningsEn, fr: meaningsFr });
      const texts = told.flatMap(([language, { signs: says }]) => {
        const name = signName(meaning, language as ExplainedLanguage);
        return [`${name}. ${says[meaning].replace('{value}', '')}`, name];
      });
      if (texts.length > 0) signs.push({ texts, passages: cite ? about(cite.doc) : [] });
    }
  }
  return { synonyms, signs };
}
