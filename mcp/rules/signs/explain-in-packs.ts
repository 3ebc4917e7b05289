/** A sign explained from the tables of the packs that are in use, each meaning with the text of the law it rests on. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { countryCode } from '../../shared/country-code.js';
import { citeProvision } from '../cite-provision.js';
import type { Rulepack } from '../format/rulepack.js';
import { explainSign, type SignExplanation } from './explain-sign.js';
import type { ExplainedLanguage } from './meanings.js';
import type { Provision } from './sign-table.js';
import { signTableOfPack } from './sign-table-of-pack.js';

/** Where a meaning stands in the law, so that whoever holds the packs can check it. */
export interface SignCitation {
  readonly doc_id: string;
  /** start and end in the document, in characters */
  readonly span: readonly [number, number];
  readonly quote: string;
  /** as a lawyer writes it */
  readonly cite: string;
}

export interface ExplainedSign {
  /** ISO 3166-1 alpha-2 of the place that was asked for */
  readonly country: string;
  /** the pack whose table answers; null = there is no table for the place, so nothing is known of its signs */
  readonly pack: Rulepack | null;
  /** the most exact reading first; empty = unknown */
  readonly meanings: readonly (SignExplanation & { readonly citation: SignCitation | null })[];
}

export interface SignInPlace {
  readonly text: string;
  readonly jurisdiction: string;
  readonly language: ExplainedLanguage;
  /** place whose signs the driver knows */
  readonly home?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly asOf: string;
}

/** Longer quotations are cut: the span says where the rest stands. */
const quoteMaxChars = 600;

export function explainInPacks(packs: ReadonlyMap<string, Rulepack>, asked: SignInPlace): ExplainedSign {
  const found = tableFor(packs, asked.jurisdiction);
  const country = countryCode(asked.jurisdiction);
  if (found === null) return { country, pack: null, meanings: [] };
  const { pack, table } = found;
  const home = asked.home === undefined ? undefined : tableFor(packs, asked.home)?.table;
  const line = [pack, ...[...packs.values()].filter((one) => one !== pack)];
  return {
    country: table.country,
    pack,
    meanings: explainSign(table, { text: asked.text, language: asked.language, home }).map((one) => ({
      ...one,
      citation: one.provision === null ? null : citationOf(one.provision, line, asked.asOf),
    })),
  };
}

/** Places that have a sign table, as their packs are called. */
export function placesWithSigns(packs: ReadonlyMap<string, Rulepack>): string[] {
  return [...packs.values()]
    .filter((pack) => signTableOfPack(pack) !== null)
    .map(({ manifest }) => manifest.id)
    .sort();
}

/** A part of a country has its country's signs; of several packs of a country the one that is named exactly. */
export function tableFor(packs: ReadonlyMap<string, Rulepack>, place: string) {
  const exact = place.trim().toUpperCase().replaceAll('/', '-');
  const candidates = [...packs.values()]
    .filter(({ manifest }) => countryCode(manifest.id) === countryCode(place))
    .sort((a, b) => Number(b.manifest.id === exact) - Number(a.manifest.id === exact));
  for (const pack of candidates) {
    const table = signTableOfPack(pack);
    if (table !== null) return { pack, table };
  }
  return null;
}

function citationOf(provision: Provision, line: readonly Rulepack[], asOf: string): SignCitation | null {
  try {
    const { document, spans } = citeProvision(line, provision.doc, provision.span, asOf);
    const [start, end] = spans.length === 1 && spans[0] ? spans[0].range : [0, document.body.length];
    const span = [start, Math.min(end, start + quoteMaxChars)] as const;
    const { doc_id, cite } = document.head;
    return { doc_id, span, quote: document.body.slice(...span), cite };
  } catch (error) {
    // What is repealed on that day is not quoted as law.
    if (error instanceof DriveMcpError && error.code === 'PROVISION_UNKNOWN') return null;
    throw error;
  }
}
