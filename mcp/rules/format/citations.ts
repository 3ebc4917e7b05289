/** Citations: a rule whose cited span lacks the number it asserts does not load. That is the guard against invented numbers. */

import { refuse } from './located-yaml.js';
import type { Rule } from './rule-schema.js';
import type { PackDocument, Rulepack } from './rulepack.js';

/**
 * The text of a document on a day, looked for in the pack and then in those it extends. Before the first text that the
 * pack has, that one answers; after the last has ended, none does: what is repealed is not quoted as law.
 */
export function documentOn(line: readonly Rulepack[], docId: string, day: string): PackDocument | null {
  for (const pack of line) {
    const versions = pack.documents.get(docId);
    if (!versions) continue;
    const fitting = versions.find(
      ({ head }) => head.valid_from <= day && (head.valid_until === undefined || day < head.valid_until),
    );
    const oldest = versions[versions.length - 1];
    return fitting ?? (oldest && day < oldest.head.valid_from ? oldest : null);
  }
  return null;
}

/** @throws DriveMcpError RULEPACK_INVALID naming rule and provision */
export function checkCitations(rule: Rule, line: readonly Rulepack[], file: string): void {
  const { limit } = rule.then;
  const number = limit && 'value' in limit ? limit.value : null;
  for (const citation of rule.cite) {
    const document = documentOn(line, citation.doc, rule.valid.from);
    if (!document)
      throw refuse(file, `cites ${citation.doc}, which the pack does not hold`, undefined, rule.id);
    const span = document.head.spans[citation.span];
    if (!span) throw refuse(file, `${citation.doc} has no span ${citation.span}`, undefined, rule.id);
    const quote = document.body.slice(span[0], span[1]);
    for (const needle of citation.must_contain) {
      if (!quote.includes(needle))
        throw refuse(
          file,
          `${citation.doc} ${citation.span} does not contain '${needle}'`,
          undefined,
          rule.id,
        );
    }
  }
  if (number === null) return;
  const quotes = rule.cite.map(({ doc, span }) => {
    const document = documentOn(line, doc, rule.valid.from);
    const [start, end] = document?.head.spans[span] ?? [0, 0];
    return document?.body.slice(start, end) ?? '';
  });
  // As a whole number: the 100 of "1000" is not 100.
  const whole = new RegExp(`(?<![\\d.,])${number}(?![\\d]|[.,]\\d)`);
  if (!quotes.some((quote) => whole.test(quote)))
    throw refuse(file, `no cited span contains the number ${number}`, undefined, rule.id);
}
