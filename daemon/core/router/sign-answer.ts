/** What the rules expert says of a sign, read without trust: words of closed lists and where it stands in the law. */
import type { JsonObject } from '../tick.js';
import { fieldsOf, oneOf } from '../world/check-fact.js';
import { type Citation, readCitation, readVersion } from './citation.js';

/** The provision behind a sign. `cite` is how lawyers write it; the adapter holds it against the verified packs. */
export interface SignProvision extends Citation {
  readonly cite: string;
}

export interface SignAnswer {
  readonly tool: 'sign';
  /** null = the tables do not know the sign */
  readonly row: {
    readonly kind: 'sign' | 'plate' | 'face' | 'words';
    /** a word of the closed lists, or one that this program does not know and does not tell */
    readonly meaning: string;
    /** A read in the official text, B in a secondary source, C common knowledge */
    readonly certainty: 'A' | 'B' | 'C';
    readonly provision: SignProvision | null;
  } | null;
  readonly rulepackVersion: string | null;
}

const meaningPattern = /^[a-z][a-z0-9_]{0,39}$/;
/** Latin letters, digits and the marks that citations of law are written with, closed list: it is spoken. */
const citePattern = /^[A-Za-z0-9\u00c0-\u017f §.,;:/()'’–-]{1,120}$/;

/** Null where the answer does not fit as a whole. */
export function readSignAnswer(fields: { readonly [key: string]: unknown }): SignAnswer | null {
  const { is_known: isKnown, meanings } = fields;
  if (typeof isKnown !== 'boolean' || !Array.isArray(meanings)) return null;
  const rulepackVersion = readVersion(fields['rulepack_version']);
  if (!isKnown) return { tool: 'sign', row: null, rulepackVersion };
  // The most exact reading comes first; the driver is told one.
  const first = fieldsOf((meanings as readonly unknown[])[0]);
  const kind = oneOf(['sign', 'plate', 'face', 'words'] as const, first?.['kind']);
  const certainty = oneOf(['A', 'B', 'C'] as const, first?.['certainty']);
  const meaning = first?.['meaning'];
  if (kind === null || certainty === null || typeof meaning !== 'string' || !meaningPattern.test(meaning)) {
    return null;
  }
  const provision = readProvision(first?.['citation']);
  return { tool: 'sign', row: { kind, meaning, certainty, provision }, rulepackVersion };
}

function readProvision(value: unknown): SignProvision | null {
  const citation = readCitation(value);
  const cite = fieldsOf(value)?.['cite'];
  if (citation === null || typeof cite !== 'string' || !citePattern.test(cite)) return null;
  return { ...citation, cite };
}

/** For the record: what was found of the sign that is told. */
export function signBody(signId: string, answer: SignAnswer): JsonObject {
  const { row, rulepackVersion } = answer;
  return {
    id: signId,
    is_known: row !== null,
    ...(row === null ? {} : { kind: row.kind, meaning: row.meaning, certainty: row.certainty }),
    provision:
      row === null || row.provision === null
        ? null
        : {
            doc_id: row.provision.docId,
            offset: row.provision.offset,
            length: row.provision.length,
            cite: row.provision.cite,
          },
    rulepack_version: rulepackVersion,
  };
}
