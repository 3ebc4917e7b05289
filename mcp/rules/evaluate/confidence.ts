/** How sure an answer is, and what makes it less so. */
import type { FlatContext } from './flat-context.js';
import type { RuleInForce, RulesInForce } from './rules-in-force.js';

export type Degradation = 'expired' | 'missing' | 'unsigned' | 'unknown_condition' | 'conflict' | 'unit';

/** Certainty of a rule as a confidence; our own paraphrases are never surer than 0.8: they only agree with themselves. */
const ofCertainty = { A: 0.95, B: 0.85, C: 0.7 } as const;
const paraphraseCap = 0.8;
const factor = { unknown_condition: 0.8, conflict: 0.6, unsigned: 0.9 } as const;
/** A number seen at the roadside that no rule knows. */
const observedOnly = 0.5;
const unitUnknown = 0.3;
/** A pack past its review date stays readable: conf × max(0.3, 1 − 0.02 · days over), at most 0.6. */
const expired = { cap: 0.6, floor: 0.3, perDay: 0.02 } as const;

export function confidenceOf(
  rules: RulesInForce,
  deciding: RuleInForce | null,
  found: ReadonlySet<Degradation>,
  packState: FlatContext['pack_state'],
): { readonly confidence: number; readonly degraded: readonly Degradation[] } {
  const degraded = new Set(found);
  let confidence: number = deciding ? ofCertainty[deciding.rule.certainty] : observedOnly;
  if (deciding !== null && isParaphrase(rules, deciding)) confidence = Math.min(confidence, paraphraseCap);
  if (packState === 'unsigned' || rules.jurisdiction.packs.some((pack) => pack.isUnsigned))
    degraded.add('unsigned');
  if (degraded.has('unknown_condition')) confidence *= factor.unknown_condition;
  if (degraded.has('conflict')) confidence *= factor.conflict;
  if (degraded.has('unsigned')) confidence *= factor.unsigned;
  if (degraded.has('unit')) confidence = Math.min(confidence, unitUnknown);
  const over = Math.max(
    ...rules.jurisdiction.packs.map(({ manifest }) => daysBetween(manifest.valid.until, rules.asOf)),
  );
  if (over > 0 || packState === 'expired') {
    degraded.add('expired');
    confidence = Math.min(
      expired.cap,
      confidence * Math.max(expired.floor, 1 - expired.perDay * Math.max(0, over)),
    );
  }
  return { confidence: Math.round(confidence * 1000) / 1000, degraded: [...degraded] };
}

function isParaphrase(rules: RulesInForce, { rule }: RuleInForce): boolean {
  return rule.cite.some(({ doc }) =>
    rules.jurisdiction.packs.some(({ documents }) =>
      documents.get(doc)?.some(({ head }) => head.text === 'paraphrase'),
    ),
  );
}

/** Whole days between two ISO dates. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

/** Days since 1970-01-01 of the proleptic Gregorian calendar (H. Hinnant's days_from_civil). */
function dayNumber(date: string): number {
  const month = Number(date.slice(5, 7));
  const year = Number(date.slice(0, 4)) - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const ofEra = year - era * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + Number(date.slice(8, 10)) - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}
