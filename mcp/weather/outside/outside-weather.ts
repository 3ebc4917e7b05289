/**
 * Weather data from outside the car: a hint. It is read only where somebody configured a source, and what it says can
 * lower an estimate of grip, never raise one.
 */
import { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { roadSurfaces } from '../../../daemon/core/world/facts.js';

const percent = z.number().min(0).max(100).optional();

/** A larger document is no weather report. */
export const outsideMaxBytes = 65_536;
/** From this age on a report counts as absent; ours: stations report every ten minutes. */
export const outsideMaxAgeMs = 900_000;
/** Clocks differ by this much; a report from further ahead is not believed. */
const futureToleranceMs = 60_000;

export const outsideDocument = z.strictObject({
  observed_at: z.iso.datetime({ offset: true }).describe('when it was measured'),
  provider: z
    .string()
    .max(80)
    .regex(/^[\x20-\x7e]*$/)
    .describe('who says so, in ASCII'),
  precipitation: percent,
  precipitation_deposits: percent,
  wetness: percent,
  ambient_c: z.number().min(-90).max(70).optional(),
  weather_tag: z.enum(roadSurfaces).optional(),
});

export type OutsideDocument = z.output<typeof outsideDocument>;

/** Where a report comes from. `read` gives the bytes of one document and honours the signal. */
export interface OutsideSource {
  /** for provenance: `file` or `http` with its place */
  readonly description: string;
  read(signal: AbortSignal): Promise<Uint8Array>;
}

export const outsideReport = z.strictObject({
  state: z.enum(['used', 'stale', 'failed']),
  source: z.string().describe('where it was read'),
  provider: z.string().nullable(),
  age_s: z.number().nullable(),
  problem: z.string().nullable(),
});
export type OutsideReport = z.output<typeof outsideReport>;

export interface OutsideReading {
  /** null where nothing may be used */
  readonly document: OutsideDocument | null;
  readonly report: OutsideReport;
}

/** Reads once. A source that fails costs the hint and is told; the caller's own withdrawal goes through. */
export async function readOutside(
  source: OutsideSource,
  nowWallMs: number,
  signal: AbortSignal,
): Promise<OutsideReading> {
  const failed = (problem: string): OutsideReading => ({
    document: null,
    report: { state: 'failed', source: source.description, provider: null, age_s: null, problem },
  });
  let bytes: Uint8Array;
  try {
    bytes = await source.read(signal);
  } catch (error) {
    signal.throwIfAborted();
    return failed(error instanceof DriveMcpError ? error.message : 'it cannot be read');
  }
  const parsed = outsideDocument.safeParse(jsonOf(bytes));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return failed(`${issue?.path.join('.') || 'the document'}: ${issue?.message ?? 'does not fit'}`);
  }
  const { provider, observed_at } = parsed.data;
  const ageMs = nowWallMs - Date.parse(observed_at);
  const isFresh = ageMs <= outsideMaxAgeMs && ageMs >= -futureToleranceMs;
  return {
    document: isFresh ? parsed.data : null,
    report: {
      state: isFresh ? 'used' : 'stale',
      source: source.description,
      provider,
      age_s: Math.round(ageMs / 1000),
      problem: isFresh ? null : ageMs < 0 ? 'it is from the future' : 'it is too old',
    },
  };
}

/** undefined where the bytes are no JSON in UTF-8. */
function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
