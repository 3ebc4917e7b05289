/** A pack's own words: `lex/thesaurus.*.yaml` (what drivers say → words of the documents) and `lex/abbrev.yaml`. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseYaml } from '../format/located-yaml.js';
import { readPackFile } from '../format/pack-files.js';
import type { Rulepack } from '../format/rulepack.js';
import { coverage, type Phrase, parsePhrase } from '../lexicon/phrase.js';
import { type Language, languages } from './stem-word.js';
import type { Token } from './tokenise.js';

const words = z.array(z.string().min(1).max(80)).min(1).max(60);
export const thesaurusSchema = z.strictObject({
  from: z.enum(languages),
  to: z.enum(languages),
  entries: z.array(z.strictObject({ say: words, law: words })).max(2_000),
});
const abbreviationSchema = z.record(z.string().min(1).max(40), z.string().min(1).max(120));

export interface ThesaurusEntry {
  readonly from: Language;
  readonly to: Language;
  readonly say: readonly Phrase[];
  readonly law: readonly string[];
}

/** @throws DriveMcpError RULEPACK_INVALID with file, line and key */
export function readThesaurus(pack: Rulepack): ThesaurusEntry[] {
  const folder = join(pack.folder, 'lex');
  if (!existsSync(folder)) return [];
  const entries: ThesaurusEntry[] = [];
  for (const name of readdirSync(folder).sort()) {
    const path = `lex/${name}`;
    const file = join(folder, name);
    if (/^thesaurus\..*\.ya?ml$/.test(name)) {
      const { from, to, entries: rows } = parseYaml(file, readPackFile(pack.folder, path), thesaurusSchema);
      for (const { say, law } of rows) entries.push({ from, to, say: phrases(say, from), law });
    } else if (/^abbrev\.ya?ml$/.test(name)) {
      const to = (languages as readonly string[]).includes(pack.manifest.language[0] ?? '')
        ? (pack.manifest.language[0] as Language)
        : 'en';
      const rows = parseYaml(file, readPackFile(pack.folder, path), abbreviationSchema);
      for (const [short, long] of Object.entries(rows))
        entries.push({ from: to, to, say: phrases([short], to), law: [long] });
    }
  }
  return entries;
}

function phrases(say: readonly string[], language: Language): Phrase[] {
  return say.flatMap((text) => parsePhrase(text.replace(/[*~!?+]/g, ' '), language) ?? []);
}

/** Words of the documents for what a question says. */
export function lawWords(
  thesaurus: readonly ThesaurusEntry[],
  tokens: readonly Token[],
  from: Language,
  to: Language,
): string[] {
  return thesaurus
    .filter((entry) => entry.from === from && entry.to === to)
    .filter(({ say }) => say.some((phrase) => coverage(phrase, tokens) !== null))
    .flatMap(({ law }) => law);
}
