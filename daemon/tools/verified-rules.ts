/**
 * The rules expert, believed only where its citations are true: every quotation is read again in the verified packs of
 * this process, and must stand there word for word.
 */
import { documentOn } from '../../mcp/rules/format/citations.js';
import type { Rulepack } from '../../mcp/rules/format/rulepack.js';
import type { JsonObject } from '../core/tick.js';
import type { ToolClient } from '../ports.js';
import { UnfitAnswer } from './answer-payload.js';
import type { Packs } from './pack-watch.js';

/** @param packs those in use at the moment of the answer */
export function verifiedRules(client: ToolClient, packs: () => Packs): ToolClient {
  return {
    tool: client.tool,
    async call(request, signal) {
      const answer = await client.call(request, signal);
      const problem = citationProblem(answer, packs());
      if (problem !== null) throw new UnfitAnswer(problem);
      return answer;
    },
  };
}

/**
 * Why the citations of an answer are not believed, or null: those of a limit, and those of the meanings of a sign. An
 * answer without a limit may do without any.
 */
export function citationProblem(answer: JsonObject, packs: Packs): string | null {
  const citations = citationsOf(answer);
  const version = answer['rulepack_version'];
  if (citations === null) return 'its citations are no list';
  if (version === null || version === undefined) {
    return citations.length === 0 && (answer['limit'] ?? null) === null ? null : 'it names no rulepack';
  }
  const line = packsOf(version, packs);
  if (line === null) return 'it answers from a rulepack that is not in use here';
  if (citations.length === 0 && (answer['limit'] ?? null) !== null) return 'its limit cites nothing';
  const day = typeof answer['as_of'] === 'string' ? answer['as_of'] : '';
  for (const citation of citations) {
    if (!isTrue(citation, line, day)) return 'a citation does not stand where it says';
  }
  return null;
}

function citationsOf(answer: JsonObject): readonly unknown[] | null {
  const { citations = [], meanings = [] } = answer;
  if (!Array.isArray(citations) || !Array.isArray(meanings)) return null;
  const ofMeanings = (meanings as readonly unknown[]).map((one) => (one as JsonObject | null)?.['citation']);
  return [...(citations as readonly unknown[]), ...ofMeanings.filter((one) => one != null)];
}

/** Versions are unique: `<id>@<version>+<hash of the tree>`, those of several packs with spaces between. */
function packsOf(version: unknown, packs: Packs): Rulepack[] | null {
  if (typeof version !== 'string') return null;
  const line: Rulepack[] = [];
  for (const name of version.split(' ')) {
    const pack = [...packs.values()].find((one) => one.version === name);
    if (pack === undefined) return null;
    line.push(pack);
  }
  return line;
}

function isTrue(citation: unknown, line: readonly Rulepack[], day: string): boolean {
  const { doc_id: doc, span, quote, cite } = (citation ?? {}) as Record<string, unknown>;
  if (typeof doc !== 'string' || typeof quote !== 'string' || quote === '' || !Array.isArray(span))
    return false;
  const [start, end] = span as readonly unknown[];
  if (typeof start !== 'number' || typeof end !== 'number') return false;
  // A document of one id may differ from pack to pack: the quotation must stand in one of those that answered.
  return line.some((pack) => {
    const document = documentOn([pack], doc, day);
    return document?.body.slice(start, end) === quote && document.head.cite === cite;
  });
}
