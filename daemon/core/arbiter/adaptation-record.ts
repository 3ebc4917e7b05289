/**
 * The persisted form of Δ and C_min: versioned, bounded, with a checksum. Whatever is wrong with it, the answer
 * is the parameter set's own start values and a word for what was wrong.
 */
import { canonicalJson } from '../canonical.js';
import type { Params } from '../params.js';
import { type AdaptationState, initialAdaptation, round10 } from './adaptation.js';

const formatVersion = 1;

export type AdaptationProblem = 'none' | 'unreadable' | 'version' | 'preset' | 'checksum' | 'bounds';

export function encodeAdaptation(state: AdaptationState, params: Params): string {
  const body = {
    version: formatVersion,
    preset: params.preset,
    delta: round10(state.marginRatio),
    c_min: round10(state.confidenceMinRatio),
  };
  return `${canonicalJson({ ...body, crc32: crc32Hex(canonicalJson(body)) })}\n`;
}

/**
 * Monotonic time starts anew with each boot, so the times of the last steps are not kept: both kinds count as
 * applied at `tUs`, or a restart would buy an extra step.
 */
export function decodeAdaptation(
  text: string,
  tUs: number,
  params: Params,
): { readonly state: AdaptationState; readonly problem: AdaptationProblem } {
  const fail = (problem: AdaptationProblem) => ({ state: initialAdaptation(params), problem });
  const parsed = parseObject(text);
  if (parsed === null) return fail('unreadable');
  const { crc32, ...body } = parsed;
  if (body['version'] !== formatVersion) return fail('version');
  if (typeof crc32 !== 'string' || crc32 !== checksumOf(body)) return fail('checksum');
  if (body['preset'] !== params.preset || params.adaptationFrozen) return fail('preset');
  const { delta, c_min: confidence } = body;
  const { marginMinRatio, marginMaxRatio, confidenceMinRatio, confidenceMaxRatio } = params.adaptation;
  if (!isWithin(delta, marginMinRatio, marginMaxRatio)) return fail('bounds');
  if (!isWithin(confidence, confidenceMinRatio, confidenceMaxRatio)) return fail('bounds');
  const state: AdaptationState = {
    marginRatio: round10(delta),
    confidenceMinRatio: round10(confidence),
    lastUs: { late_warning: tUs, false_positive: tUs },
  };
  return { state, problem: 'none' };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    // Not JSON: the caller says so and goes on with the defaults.
    return null;
  }
}

/** A body that has no canonical form (a lone surrogate) has no checksum either. */
function checksumOf(body: Record<string, unknown>): string | null {
  try {
    return crc32Hex(canonicalJson(body));
  } catch {
    return null;
  }
}

function isWithin(value: unknown, low: number, high: number): value is number {
  return typeof value === 'number' && value >= low && value <= high;
}

/** CRC-32 (ISO-HDLC) over UTF-16 code units; the record is ASCII. Guards against damage, not against people. */
function crc32Hex(text: string): string {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}
