/**
 * Passages in SQLite FTS5, for BM25 with column weights. Words are tokenised here and stored as stems: FTS5 itself knows
 * English stems only, and folds ä to a but not to ae. Jurisdiction, day and language are conditions of the query, so
 * what does not hold is never scored, and never crowds out what does.
 */
import Database from 'better-sqlite3';
import { giveTurn } from '../../shared/give-turn.js';
import { findConcepts } from '../lexicon/find-concepts.js';
import { lexiconOf } from '../lexicon/load-lexicons.js';
import type { Passage } from './passages.js';
import { termsOf, tokenise } from './tokenise.js';

export interface IndexFilter {
  readonly packIds: readonly string[];
  /** ISO date */
  readonly asOf: string;
  /** language of the documents; null = any */
  readonly language: string | null;
}

export interface PassageIndex {
  readonly passages: readonly Passage[];
  /** BM25 of what matches any of the terms, larger is better, by the number of the passage */
  scores(terms: readonly string[], filter: IndexFilter): ReadonlyMap<number, number>;
  /** numbers of the passages that a filter lets through */
  allowed(filter: IndexFilter): readonly number[];
  close(): void;
}

/** Weights of title, text, what citing rules are about, and concepts of the text. */
const columnWeights = '2.0, 1.0, 3.0, 1.5';
const condition = `pack IN (SELECT value FROM json_each(@packs)) AND valid_from <= @asOf AND @asOf < valid_until
  AND (@language IS NULL OR lang = @language)`;

export interface IndexOptions {
  readonly isStemmed?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** So many passages are indexed at a time: some ten milliseconds on a slow machine. */
const passagesAtOnce = 8;

/** @throws the reason of `signal` soon after it is aborted */
export async function buildPassageIndex(
  passages: readonly Passage[],
  { isStemmed = true, signal }: IndexOptions = {},
): Promise<PassageIndex> {
  const db = new Database(':memory:');
  db.exec(`CREATE TABLE passage (id INTEGER PRIMARY KEY, pack TEXT NOT NULL, lang TEXT NOT NULL,
      valid_from TEXT NOT NULL, valid_until TEXT NOT NULL) STRICT;
    CREATE VIRTUAL TABLE terms USING fts5(title, body, aliases, concepts, content='',
      tokenize="unicode61 remove_diacritics 0 tokenchars '_'");`);
  const insertPassage = db.prepare('INSERT INTO passage VALUES (?, ?, ?, ?, ?)');
  const insertTerms = db.prepare(
    'INSERT INTO terms (rowid, title, body, aliases, concepts) VALUES (?, ?, ?, ?, ?)',
  );
  const column = (terms: readonly string[]): string => terms.map(indexTerm).join(' ');
  // One transaction over many turns: the database is nobody else's, and a commit a passage would make a segment each.
  db.exec('BEGIN');
  try {
    for (const [number, one] of passages.entries()) {
      if (number % passagesAtOnce === 0) await giveTurn(signal);
      insertPassage.run(number, one.packId, one.language, one.validFrom, one.validUntil);
      const spoken = findConcepts(
        tokenise(`${one.title} ${one.text}`, one.language),
        lexiconOf(one.language),
      );
      insertTerms.run(
        number,
        column(termsOf(`${one.title} ${one.cite}`, one.language, isStemmed)),
        column(termsOf(one.text, one.language, isStemmed)),
        column([...one.concepts.map(conceptTerm), ...one.codes.map((code) => code.toLowerCase())]),
        column([...spoken.keys()].map(conceptTerm)),
      );
    }
    db.exec('COMMIT');
  } catch (error) {
    db.close();
    throw error;
  }
  const match = db.prepare(
    `SELECT terms.rowid AS number, -bm25(terms, ${columnWeights}) AS score FROM terms
     JOIN passage ON passage.id = terms.rowid WHERE terms MATCH @query AND ${condition}`,
  );
  const list = db.prepare(`SELECT id FROM passage WHERE ${condition}`).pluck();
  const parameters = ({ packIds, asOf, language }: IndexFilter) => ({
    packs: JSON.stringify(packIds),
    asOf,
    language,
  });
  return {
    passages,
    scores(terms, filter) {
      const query = matchExpression(terms);
      if (query === '') return new Map();
      const rows = match.all({ query, ...parameters(filter) }) as { number: number; score: number }[];
      return new Map(rows.map(({ number, score }) => [number, Math.max(0, score)]));
    },
    allowed: (filter) => list.all(parameters(filter)) as number[],
    close: () => void db.close(),
  };
}

export const conceptTerm = (concept: string): string => `_c_${concept.replace('.', '_')}`;

/** Any of the terms. Each is quoted, so nothing in a question is an operator of FTS5. */
export function matchExpression(terms: readonly string[]): string {
  const quoted = terms.map(indexTerm).filter((term) => term !== '');
  return [...new Set(quoted)].map((term) => `"${term}"`).join(' OR ');
}

/** One token for FTS5: what it would split at is written as its code. */
function indexTerm(term: string): string {
  return term.replace(/[^\p{L}\p{N}_]/gu, (sign) => `_${(sign.codePointAt(0) ?? 0).toString(16)}_`);
}
