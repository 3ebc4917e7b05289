/** The traffic-rules expert: answers `rules_lookup_limit` from the installed rulepacks. */
import { z } from 'zod';
import { DriveMcpError } from '../../daemon/core/errors.js';
import type { JsonObject, JsonValue, ToolRequest } from '../../daemon/core/tick.js';
import type { ToolClient } from '../../daemon/ports.js';
import { type Evaluation, evaluateLimit } from './evaluate.js';
import { parseFlatContext } from './flat-context.js';
import type { Rule } from './pack-format.js';
import type { Rulepack } from './pack-loader.js';

const lookupArgs = z.strictObject({
  jurisdiction: z.string().max(40),
  as_of: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  context: z.unknown(),
});

/** 1 mph = 1609.344 m / 3600 s, exactly. */
const metresPerSecond = { 'km/h': 1 / 3.6, mph: 0.44704 } as const;

export function createRulesExpert(packs: ReadonlyMap<string, Rulepack>): ToolClient {
  return {
    tool: 'rules',
    async call(request: ToolRequest, signal: AbortSignal): Promise<JsonObject> {
      signal.throwIfAborted();
      if (request.call !== 'rules_lookup_limit') {
        throw new DriveMcpError('TOOL_FAILED', `the rules expert has no call '${request.call}'`);
      }
      return lookupLimit(packs, request.args);
    },
  };
}

/**
 * The limit and what it rests on.
 * @param args `{jurisdiction: 'DEU' | 'GBR/…', as_of: 'YYYY-MM-DD', context: flat context}`
 * @throws DriveMcpError RULES_BAD_CONTEXT
 */
export function lookupLimit(packs: ReadonlyMap<string, Rulepack>, args: unknown): JsonObject {
  const parsed = lookupArgs.safeParse(args);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new DriveMcpError('RULES_BAD_CONTEXT', issue?.message ?? 'not an object', {
      location: { key: issue?.path.join('.') ?? '' },
    });
  }
  const { jurisdiction, as_of: asOf } = parsed.data;
  const context = parseFlatContext(parsed.data.context);
  const [country = '', nation] = jurisdiction.split('/');
  const pack = packs.get(country);
  if (!pack) return withoutPack(jurisdiction, asOf);
  const evaluation = evaluateLimit(pack, context, asOf, nation);
  const unit = pack.manifest.units.speed;
  const speed = (value: number | null): JsonValue =>
    value === null ? null : { value, unit, mps: value * metresPerSecond[unit] };
  return {
    legal_action: evaluation.legalAction,
    limit: speed(evaluation.value),
    advisory: speed(evaluation.advisory),
    ...(evaluation.qualifier ? { qualifier: evaluation.qualifier } : {}),
    nature: 'absolute',
    citations: citationsOf(pack, evaluation.rules),
    confidence: evaluation.confidence,
    rulepack_version: pack.version,
    jurisdiction_path: [...pack.manifest.jurisdiction.path, ...(nation === undefined ? [] : [nation])],
    as_of: asOf,
    degraded: [...evaluation.degraded],
    alternatives: evaluation.alternatives.map(speed),
  };
}

/** No pack, no limit: what a sign says may pass on as an observation elsewhere, but no rule is invented here. */
function withoutPack(jurisdiction: string, asOf: string): JsonObject {
  return {
    legal_action: 'unknown_conservative' satisfies Evaluation['legalAction'],
    limit: null,
    advisory: null,
    nature: 'absolute',
    citations: [],
    confidence: 0.2,
    rulepack_version: null,
    jurisdiction_path: jurisdiction === '' ? [] : [jurisdiction],
    as_of: asOf,
    degraded: ['missing'],
    alternatives: [],
  };
}

function citationsOf(pack: Rulepack, rules: readonly Rule[]): JsonValue {
  return rules.flatMap((rule) =>
    rule.cite.map((citation): JsonValue => {
      const document = pack.documents.get(citation.doc);
      const span = document?.head.spans[citation.span] ?? [0, 0];
      return {
        doc_id: citation.doc,
        span: [...span],
        quote: document?.body.slice(span[0], span[1]) ?? '',
        cite: document?.head.cite ?? '',
      };
    }),
  );
}
