/** The searchable form of one country: its base pack and everything that extends it, built when first asked, then kept. */
import { createHash } from 'node:crypto';
import type { Rulepack } from '../format/rulepack.js';
import type { RulepackSet } from '../rules-expert.js';
import { readThesaurus, type ThesaurusEntry } from './pack-thesaurus.js';
import type { PassageEncoder } from './passage-encoder.js';
import { buildPassageIndex, type PassageIndex } from './passage-index.js';
import { passagesOf } from './passages.js';
import type { VectorCache } from './vector-cache.js';

export interface IndexedFamily {
  readonly baseId: string;
  readonly packs: readonly Rulepack[];
  /** of all its packs: changes when any file of them does */
  readonly hash: string;
  readonly index: PassageIndex;
  /** without stems, to measure what they are worth */
  readonly plainIndex: () => PassageIndex;
  readonly thesaurus: readonly ThesaurusEntry[];
  /** vectors of its passages in their order */
  vectors(encoder: PassageEncoder, cache: VectorCache | null): Promise<readonly Float32Array[]>;
}

const kept = new WeakMap<RulepackSet, Map<string, IndexedFamily>>();

/** @param base pack of a country; the family is every pack that extends it, directly or not */
export function indexedFamily(packs: RulepackSet, base: Rulepack): IndexedFamily {
  let own = kept.get(packs);
  if (own === undefined) {
    own = new Map();
    kept.set(packs, own);
  }
  const { id } = base.manifest;
  let family = own.get(id);
  if (family === undefined) {
    family = buildFamily(
      id,
      [...packs.values()].filter((pack) => rootIdOf(pack, packs) === id),
    );
    own.set(id, family);
  }
  return family;
}

export function familyHash(packs: readonly Rulepack[]): string {
  const versions = packs.map(({ version }) => version).sort();
  return createHash('sha256').update(versions.join('\n')).digest('hex');
}

function buildFamily(baseId: string, packs: readonly Rulepack[]): IndexedFamily {
  const passages = passagesOf(packs);
  const index = buildPassageIndex(passages);
  let plain: PassageIndex | null = null;
  const hash = familyHash(packs);
  const vectors = new Map<string, Promise<readonly Float32Array[]>>();
  return {
    baseId,
    packs,
    hash,
    index,
    plainIndex: () => (plain ??= buildPassageIndex(passages, { isStemmed: false })),
    thesaurus: packs.flatMap(readThesaurus),
    vectors(encoder, cache) {
      const known = vectors.get(encoder.id);
      if (known) return known;
      const texts = passages.map(({ title, text }) => `${title}. ${text}`);
      const made = (async () => {
        const stored = cache?.read(hash, encoder, texts.length);
        if (stored) return stored;
        const fresh = await encoder.encode(texts);
        cache?.write(hash, encoder, fresh);
        return fresh;
      })();
      vectors.set(encoder.id, made);
      made.catch(() => vectors.delete(encoder.id)); // the next question tries again
      return made;
    },
  };
}

function rootIdOf(pack: Rulepack, packs: RulepackSet): string | null {
  let at: Rulepack | undefined = pack;
  for (let depth = 0; at?.manifest.extends && depth < 5; depth++) at = packs.get(at.manifest.extends.id);
  return at?.manifest.id ?? null;
}
