/** The traffic-rules expert in process: answers what the decision core asks from the installed rulepacks. */
import { z } from 'zod';
import { DriveMcpError } from '../../daemon/core/errors.js';
import type { JsonObject, JsonValue, ToolRequest } from '../../daemon/core/tick.js';
import type { ToolClient } from '../../daemon/ports.js';
import { parseToolArgs } from '../shared/tool-args.js';
import { evaluateConduct } from './evaluate/evaluate-conduct.js';
import { evaluateLimit } from './evaluate/evaluate-limit.js';
import { parseFlatContext } from './evaluate/flat-context.js';
import { resolveJurisdiction } from './evaluate/jurisdiction.js';
import { type RuleInForce, type RulesInForce, rulesInForce } from './evaluate/rules-in-force.js';
import { documentOn } from './format/citations.js';
import { isoDate } from './format/manifest-schema.js';
import type { Rulepack } from './format/rulepack.js';
import { conductTopics } from './format/vocabulary.js';
import { signAnswer } from './signs/sign-answer.js';
import { signArgsOnDay } from './signs/sign-args.js';

const lookupArgs = z.strictObject({
  jurisdiction: z.string().max(40),
  as_of: isoDate,
  context: z.unknown(),
});

/** 1 mph = 1609.344 m / 3600 s, exactly. */
const metresPerSecond = { 'km/h': 1 / 3.6, mph: 0.44704 } as const;

export type RulepackSet = ReadonlyMap<string, Rulepack>;

export function createRulesExpert(packs: RulepackSet): ToolClient {
  return {
    tool: 'rules',
    async call(request: ToolRequest, signal: AbortSignal): Promise<JsonObject> {
      signal.throwIfAborted();
      switch (request.call) {
        case 'rules_lookup_limit':
          return lookupLimit(packs, request.args);
        case 'rules_explain_sign':
          return signAnswer(packs, parseToolArgs(signArgsOnDay, request.args, request.call));
        default:
          throw new DriveMcpError('TOOL_FAILED', `the rules expert has no call '${request.call}'`);
      }
    },
  };
}

/** Rules of a jurisdiction on a day, kept while the packs are the same: a tick asks for the same ones again and again. */
const kept = new WeakMap<RulepackSet, Map<string, RulesInForce | null>>();
const maxKept = 64;

function keptFor(packs: RulepackSet): Map<string, RulesInForce | null> {
  const known = kept.get(packs);
  if (known && known.size < maxKept) return known;
  const fresh = new Map<string, RulesInForce | null>();
  kept.set(packs, fresh);
  return fresh;
}

export function rulesOf(packs: RulepackSet, jurisdiction: string, asOf: string): RulesInForce | null {
  const own = keptFor(packs);
  const key = `${jurisdiction} ${asOf}`;
  let rules = own.get(key);
  if (rules === undefined) {
    const found = resolveJurisdiction(jurisdiction, packs, asOf);
    rules = found === null ? null : rulesInForce(found, asOf);
    own.set(key, rules);
  }
  return rules;
}

/**
 * The limit and what it rests on.
 * @param args `{jurisdiction: 'DEU' | 'GBR/WLS' | …, as_of: 'YYYY-MM-DD', context: flat context}`
 * @throws DriveMcpError RULES_BAD_CONTEXT
 */
export function lookupLimit(packs: RulepackSet, args: unknown): JsonObject {
  const parsed = lookupArgs.safeParse(args);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new DriveMcpError('RULES_BAD_CONTEXT', issue?.message ?? 'not an object', {
      location: { key: issue?.path.join('.') ?? '' },
    });
  }
  const { jurisdiction, as_of: asOf } = parsed.data;
  const context = parseFlatContext(parsed.data.context);
  const rules = rulesOf(packs, jurisdiction, asOf);
  if (rules === null) return withoutPack(jurisdiction, asOf);
  const answer = evaluateLimit(rules, context);
  const unit = rules.jurisdiction.packs[0]?.manifest.units.speed ?? 'km/h';
  const speed = (value: number | null): JsonValue =>
    value === null ? null : { value, unit, mps: value * metresPerSecond[unit] };
  return {
    legal_action: answer.legalAction,
    limit: speed(answer.value),
    advisory: speed(answer.advisory),
    ...(answer.qualifier ? { qualifier: answer.qualifier } : {}),
    nature: answer.nature,
    citations: citationsOf(rules, answer.rules),
    confidence: answer.confidence,
    rulepack_version: versionOf(rules),
    jurisdiction_path: [...rules.jurisdiction.path],
    as_of: asOf,
    degraded: [...answer.degraded],
    alternatives: answer.alternatives.map(speed),
    ...(rules.jurisdiction.isPartUnknown
      ? { note: 'which part of the country is not known: the lowest of them counts' }
      : {}),
  };
}

const conductArgs = lookupArgs.extend({ topic: z.enum(conductTopics) });

/**
 * What a rule of conduct asks of the driver.
 * @param args as of `lookupLimit`, with `topic`
 * @throws DriveMcpError RULES_BAD_CONTEXT
 */
export function lookupConduct(packs: RulepackSet, args: unknown): JsonObject {
  const parsed = conductArgs.safeParse(args);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new DriveMcpError('RULES_BAD_CONTEXT', issue?.message ?? 'not an object', {
      location: { key: issue?.path.join('.') ?? '' },
    });
  }
  const { jurisdiction, as_of: asOf, topic } = parsed.data;
  const context = parseFlatContext(parsed.data.context);
  const rules = rulesOf(packs, jurisdiction, asOf);
  const answer = rules === null ? null : evaluateConduct(rules, topic, context);
  if (rules === null || answer === null) {
    const path = rules === null ? [] : [...rules.jurisdiction.path];
    return {
      ...withoutPack(jurisdiction, asOf),
      topic,
      ...(rules === null ? {} : { jurisdiction_path: path, rulepack_version: versionOf(rules) }),
    };
  }
  const { then } = answer.rule.rule;
  return {
    topic,
    legal_action: then.legal_action ?? 'explain_sign',
    ...(then.qualifier ? { qualifier: then.qualifier } : {}),
    limit: null,
    advisory: null,
    values: { ...then.values },
    citations: citationsOf(rules, [answer.rule]),
    confidence: answer.confidence,
    rulepack_version: versionOf(rules),
    jurisdiction_path: [...rules.jurisdiction.path],
    as_of: asOf,
    degraded: [...answer.degraded],
    alternatives: [],
  };
}

/** No pack, no limit: what a sign says may pass on as an observation elsewhere, but no rule is invented here. */
function withoutPack(jurisdiction: string, asOf: string): JsonObject {
  return {
    legal_action: 'unknown_conservative',
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

/** The base pack; overlays and companions that took part follow. */
export function versionOf(rules: RulesInForce): string {
  return rules.jurisdiction.packs.map(({ version }) => version).join(' ');
}

export function citationsOf(rules: RulesInForce, found: readonly RuleInForce[]): JsonValue[] {
  const { packs } = rules.jurisdiction;
  return found.flatMap(({ rule, pack }) => {
    const line = [pack, ...packs.filter((one) => one !== pack)];
    return rule.cite.map((citation): JsonValue => {
      const document = documentOn(line, citation.doc, rules.asOf);
      const span = document?.head.spans[citation.span] ?? [0, 0];
      return {
        doc_id: citation.doc,
        span: [...span],
        quote: document?.body.slice(span[0], span[1]) ?? '',
        cite: document?.head.cite ?? '',
        rule: rule.id,
      };
    });
  });
}
