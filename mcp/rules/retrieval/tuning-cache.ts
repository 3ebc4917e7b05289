/** Keeps what λ was chosen by, one file a country and encoder; a file of other packs, lexicons or encoder is not used. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { causeText } from '../../../daemon/core/cause-text.js';
import type { Rulepack } from '../format/rulepack.js';
import { lexiconDigest } from '../lexicon/load-lexicons.js';
import type { RulepackSet } from '../rules-expert.js';
import { indexedFamily } from './indexed-family.js';
import type { PassageEncoder } from './passage-encoder.js';
import { type TuningEvidence, type TuningSource, tuneFamily, untuned } from './tuning.js';

/** Counts changes of what is computed from the same packs. */
const method = 2;

const fileSchema = z.strictObject({
  key: z.string(),
  pack: z.string(),
  encoder_id: z.string(),
  lambda: z.number().min(0).max(1),
  score_floor: z.number().positive(),
  random_cosine: z.number().min(-1).max(1),
  ndcg5: z.number().min(0).max(1),
  queries: z.number().int().nonnegative(),
  grid: z.array(z.strictObject({ lambda: z.number(), ndcg5: z.number() })),
});

export interface CachedTuning {
  readonly evidence: TuningEvidence;
  /** false: computed now */
  readonly wasCached: boolean;
}

export interface TuningCache {
  /** @param isForced computes anew even where nothing has changed */
  tuned(
    packs: RulepackSet,
    base: Rulepack,
    encoder: PassageEncoder,
    isForced?: boolean,
    signal?: AbortSignal,
  ): Promise<CachedTuning>;
  readonly source: TuningSource;
}

/**
 * @param folder null = kept in memory only
 * @param tell is given one line for people when a file is damaged or cannot be written
 */
export function tuningCache(folder: string | null, tell: (message: string) => void): TuningCache {
  const kept = new Map<string, TuningEvidence>();
  const tuned: TuningCache['tuned'] = async (packs, base, encoder, isForced = false, signal) => {
    const family = await indexedFamily(packs, base, signal);
    const key = createHash('sha256')
      .update([method, family.hash, lexiconDigest(), encoder.id].join('\n'))
      .digest('hex');
    const file = folder === null ? null : join(folder, fileName(base, encoder));
    const known = kept.get(key) ?? (file === null ? null : readEvidence(file, key, tell));
    if (known && !isForced) {
      kept.set(key, known);
      return { evidence: known, wasCached: true };
    }
    const evidence = await tuneFamily(packs, base, encoder, signal);
    kept.set(key, evidence);
    if (file !== null && folder !== null) writeEvidence(folder, file, key, evidence, tell);
    return { evidence, wasCached: false };
  };
  return {
    tuned,
    source: async (packs, base, encoder, signal) =>
      encoder === null
        ? { ...untuned, lambda: 0 }
        : (await tuned(packs, base, encoder, false, signal)).evidence,
  };
}

const fileName = (base: Rulepack, encoder: PassageEncoder): string =>
  `tuning-${base.manifest.id}-${createHash('sha256').update(encoder.id).digest('hex').slice(0, 12)}.json`;

function readEvidence(file: string, key: string, tell: (message: string) => void): TuningEvidence | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null; // not tuned yet
  }
  try {
    const { key: of, ...read } = fileSchema.parse(JSON.parse(text));
    if (of !== key) return null; // packs, lexicons or encoder have changed since
    const { encoder_id: encoderId, score_floor: scoreFloor, random_cosine: randomCosine, ...rest } = read;
    return { ...rest, encoderId, scoreFloor, randomCosine };
  } catch {
    tell(`${file} is damaged: tuned anew`);
    return null;
  }
}

function writeEvidence(
  folder: string,
  file: string,
  key: string,
  { encoderId, scoreFloor, randomCosine, ...rest }: TuningEvidence,
  tell: (message: string) => void,
): void {
  const own = { key, ...rest, encoder_id: encoderId, score_floor: scoreFloor, random_cosine: randomCosine };
  try {
    mkdirSync(folder, { recursive: true });
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, `${JSON.stringify(own, null, 2)}\n`);
    renameSync(fresh, file);
  } catch (error) {
    tell(`tuning is not kept in ${folder}: ${causeText(error)}`);
  }
}
