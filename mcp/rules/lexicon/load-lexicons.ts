/** Reads the words that drivers use, one file a language: `rulepacks/lexicon/de.yaml`. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { giveTurn } from '../../shared/give-turn.js';
import { parseYaml } from '../format/located-yaml.js';
import { isLanguage, type Language, languages } from '../retrieval/stem-word.js';
import { tokenise } from '../retrieval/tokenise.js';
import { type Concept, concepts } from './concepts.js';
import { type Phrase, parsePhrase } from './phrase.js';

const phraseList = z.string().min(1).max(8_000);
export const lexiconSchema = z.strictObject({
  lang: z.enum(languages),
  /** words without meaning of their own: they tell the language, and no document is found by them */
  function_words: phraseList,
  /** phrases, separated by commas */
  concepts: z.partialRecord(z.enum(concepts as [Concept, ...Concept[]]), phraseList),
});

export interface Lexicon {
  readonly language: Language;
  readonly functionWords: ReadonlySet<string>;
  readonly phrases: readonly { readonly concept: Concept; readonly phrase: Phrase }[];
}

const builtIn = fileURLToPath(new URL('../../../../rulepacks/lexicon', import.meta.url));
const kept = new Map<string, Lexicon>();

/**
 * The lexicon of a language; read once.
 * @throws DriveMcpError RULEPACK_INVALID with file, line and key
 */
export function lexiconOf(language: Language, folder = builtIn): Lexicon {
  const file = join(folder, `${language}.yaml`);
  const known = kept.get(file);
  if (known) return known;
  const read = existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : null;
  const lexicon =
    read === null
      ? { language, functionWords: new Set<string>(), phrases: [] }
      : compileLexicon(parseYaml(file, read, lexiconSchema));
  kept.set(file, lexicon);
  return lexicon;
}

/** Reads what is not read yet, one file a turn. @throws DriveMcpError as `lexiconOf`; the reason of `signal` */
export async function openLexicons(signal?: AbortSignal): Promise<void> {
  for (const language of languages) {
    if (kept.has(join(builtIn, `${language}.yaml`))) continue;
    await giveTurn(signal);
    lexiconOf(language);
  }
}

export function compileLexicon(source: z.infer<typeof lexiconSchema>): Lexicon {
  const phrases = Object.entries(source.concepts).flatMap(([concept, list]) =>
    (list ?? '').split(',').flatMap((text) => {
      const phrase = parsePhrase(text.trim(), source.lang);
      return phrase === null ? [] : [{ concept: concept as Concept, phrase }];
    }),
  );
  const functionWords = new Set(tokenise(source.function_words, source.lang).map(({ word }) => word));
  return { language: source.lang, functionWords, phrases };
}

/** `de` from `de`, `DE`, `de-AT`; null where no lexicon is in that language. */
export function languageOf(code: string): Language | null {
  const short = code.trim().toLowerCase().slice(0, 2);
  return isLanguage(short) && /^[a-z]{2}(-|$)/.test(code.trim().toLowerCase()) ? short : null;
}

let digest: string | undefined;

/** Of all lexicons together: what was found by them is not comparable with what others find. */
export function lexiconDigest(folder = builtIn): string {
  if (digest !== undefined && folder === builtIn) return digest;
  const hash = createHash('sha256');
  for (const language of languages) {
    const file = join(folder, `${language}.yaml`);
    hash.update(`${language}\n`).update(existsSync(file) ? readFileSync(file) : '');
  }
  const own = hash.digest('hex');
  if (folder === builtIn) digest = own;
  return own;
}
