/** What people ask of a pack before they trust it: how many of its rules were read where, in whose words its texts are. */
import type { Rulepack } from '../format/rulepack.js';

export interface PackSummary {
  /** rules by certainty: A = official text read, B = secondary source, C = not read */
  readonly certainty: Readonly<Record<'A' | 'B' | 'C', number>>;
  /** documents, every version of a text counted */
  readonly text: Readonly<Record<'official' | 'paraphrase', number>>;
}

export function packSummary({ rules, documents }: Rulepack): PackSummary {
  const certainty = { A: 0, B: 0, C: 0 };
  for (const rule of rules) certainty[rule.certainty]++;
  const text = { official: 0, paraphrase: 0 };
  for (const versions of documents.values()) for (const { head } of versions) text[head.text]++;
  return { certainty, text };
}
