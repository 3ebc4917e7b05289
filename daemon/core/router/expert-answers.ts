/**
 * Answers of the experts, read without trust: known fields of known types and ranges, everything else dropped.
 * An answer that does not fit as a whole is null and counted as a failure of its expert.
 */
import type { JsonObject } from '../tick.js';
import { clamp01, fieldsOf, oneOf } from '../world/check-fact.js';
import type { SpeedUnit } from '../world/facts.js';
import { toMps } from '../world/speed-units.js';
import { type Citation, readCitations, readVersion } from './citation.js';
import type { Inquiry } from './expert-calls.js';
import { readSignAnswer, type SignAnswer } from './sign-answer.js';

export interface SpeedValue {
  readonly value: number;
  readonly unit: SpeedUnit;
  readonly mps: number;
}

export interface RulesAnswer {
  readonly tool: 'rules';
  readonly legalAction: string;
  readonly limit: SpeedValue | null;
  readonly advisory: SpeedValue | null;
  readonly citations: readonly Citation[];
  readonly confidence: number;
  readonly rulepackVersion: string | null;
  readonly degraded: readonly string[];
}

export interface WeatherAnswer {
  readonly tool: 'weather';
  readonly muEst: number;
  readonly muLo: number;
  readonly riskLevel: 'low' | 'moderate' | 'high' | 'severe';
  readonly confidence: number;
}

export interface CanAnswer {
  readonly tool: 'can';
  /** null = the expert knows nothing about the car's health */
  readonly healthRisk: number | null;
  readonly coverage: number | null;
  /** worst first, indicator names of the closed list only */
  readonly indicators: readonly string[];
}

/** `tool` names the inquiry that it answers. */
export type ExpertAnswer = RulesAnswer | WeatherAnswer | CanAnswer | SignAnswer;

/** Words an expert may answer with: enumerations, identifiers and versions, never prose. */
const wordPattern = /^[a-z][a-z0-9_]{0,39}$/;
const maxWords = 16;
/** No road is posted faster; a larger number is a mistake of unit or of parsing. */
const maxLimitMps = toMps(140, 'km/h') + 1e-6;

export function readAnswer(inquiry: Inquiry, payload: JsonObject | null): ExpertAnswer | null {
  const fields = fieldsOf(payload);
  if (fields === null) return null;
  switch (inquiry) {
    case 'rules':
      return readRules(fields);
    case 'weather':
      return readWeather(fields);
    case 'can':
      return readCan(fields);
    case 'sign':
      return readSignAnswer(fields);
  }
}

type Fields = { readonly [key: string]: unknown };

function readRules(fields: Fields): RulesAnswer | null {
  const legalAction = fields['legal_action'];
  const confidence = unitInterval(fields['confidence']);
  const limit = readSpeed(fields['limit']);
  const advisory = readSpeed(fields['advisory']);
  if (typeof legalAction !== 'string' || !wordPattern.test(legalAction)) return null;
  if (confidence === null || limit === undefined || advisory === undefined) return null;
  return {
    tool: 'rules',
    legalAction,
    limit,
    advisory,
    citations: readCitations(fields['citations']),
    confidence,
    rulepackVersion: readVersion(fields['rulepack_version']),
    degraded: readWords(fields['degraded']),
  };
}

/** null = the expert says there is none; undefined = it does not fit. */
function readSpeed(value: unknown): SpeedValue | null | undefined {
  if (value === null || value === undefined) return null;
  const fields = fieldsOf(value);
  const number = fields?.['value'];
  const unit = oneOf(['km/h', 'mph'] as const, fields?.['unit']);
  if (typeof number !== 'number' || !(number > 0) || unit === null) return undefined;
  // The value in the country's own unit is the law; the converted one is computed here, not believed.
  const mps = toMps(number, unit);
  return mps <= maxLimitMps ? { value: number, unit, mps } : undefined;
}

function readWeather(fields: Fields): WeatherAnswer | null {
  const muEst = friction(fields['mu_est']);
  const muLo = friction(fields['mu_lo']);
  const riskLevel = oneOf(['low', 'moderate', 'high', 'severe'] as const, fields['risk_level']);
  const confidence = unitInterval(fields['confidence']);
  if (muEst === null || muLo === null || riskLevel === null || confidence === null) return null;
  return { tool: 'weather', muEst, muLo: Math.min(muLo, muEst), riskLevel, confidence };
}

function readCan(fields: Fields): CanAnswer | null {
  const healthRisk = unitInterval(fields['health_risk']);
  if (healthRisk === null && fields['health_risk'] !== null) return null;
  const contributions = fields['contributions'];
  const indicators: string[] = [];
  if (Array.isArray(contributions)) {
    for (const item of (contributions as readonly unknown[]).slice(0, maxWords)) {
      const name = fieldsOf(item)?.['indicator'];
      if (typeof name === 'string' && wordPattern.test(name)) indicators.push(name);
    }
  }
  return { tool: 'can', healthRisk, coverage: unitInterval(fields['coverage']), indicators };
}

function readWords(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const words: string[] = [];
  for (const item of (value as readonly unknown[]).slice(0, maxWords)) {
    if (typeof item === 'string' && wordPattern.test(item)) words.push(item);
  }
  return words;
}

function unitInterval(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= 1 ? clamp01(value) : null;
}

function friction(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && value <= 1.5 ? value : null;
}
