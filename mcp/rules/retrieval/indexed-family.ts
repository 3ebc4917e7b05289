/** The searchable form of one country: its base pack and everything that extends it, built when first asked, then kept. */
import { createHash } from 'node:crypto';
import { type SharedWork, sharedWork } from '../../shared/shared-work.js';
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
  plainIndex(signal?: AbortSignal): Promise<PassageIndex>;
  readonly thesaurus: readonly ThesaurusEntry[];
  /** vectors of its passages in their order */
  vectors(
    encoder: PassageEncoder,
    cache: VectorCache | null,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]>;
}

const kept = new WeakMap<RulepackSet, Map<string, SharedWork<IndexedFamily>>>();

/**
 * @param base pack of a country; the family is every pack that extends it, directly or not
 * @throws the reason of `signal`; what was begun goes on while somebody else waits for it
 */
export function indexedFamily(
  packs: RulepackSet,
  base: Rulepack,
  signal?: AbortSignal,
): Promise<IndexedFamily> {
  let own = kept.get(packs);
  if (own === undefined) {
    own = new Map();
    kept.set(packs, own);
  }
  const { id } = base.manifest;
  const family = [...packs.values()].filter((pack) => rootIdOf(pack, packs) === id);
  return sharedWork(own, id, (wanted) => buildFamily(id, family, wanted)).wait(signal);
}

export function familyHash(packs: readonly Rulepack[]): string {
  const versions = packs.map(({ version }) => version).sort();
  return createHash('sha256').update(versions.join('\n')).digest('hex');
}

async function buildFamily(
  baseId: string,
  packs: readonly Rulepack[],
  signal: AbortSignal,
): Promise<IndexedFamily> {
  const passages = passagesOf(packs);
  const index = await buildPassageIndex(passages, { signal });
  const plain = new Map<'plain', SharedWork<PassageIndex>>();
  const hash = familyHash(packs);
  const vectors = new Map<string, SharedWork<readonly Float32Array[]>>();
  return {
    baseId,
    packs,
    hash,
    index,
    plainIndex: (asked) =>
      sharedWork(plain, 'plain', (wanted) =>
        buildPassageIndex(passages, { isStemmed: false, signal: wanted }),
      ).wait(asked),
    thesaurus: packs.flatMap(readThesaurus),
    vectors(encoder, cache, asked) {
      const texts = passages.map(({ title, text }) => `${title}. ${text}`);
      const make = async (wanted: AbortSignal): Promise<readonly Float32Array[]> => {
        const stored = cache?.read(hash, encoder, texts.length);
        if (stored) return stored;
        const fresh = await encoder.encode(texts, 'passage', wanted);
        cache?.write(hash, encoder, fresh);
        return fresh;
      };
      return sharedWork(vectors, encoder.id, make).wait(asked);
    },
  };
}

function rootIdOf(pack: Rulepack, packs: RulepackSet): string | null {
  let at: Rulepack | undefined = pack;
  for (let depth = 0; at?.manifest.extends && depth < 5; depth++) at = packs.get(at.manifest.extends.id);
  return at?.manifest.id ?? null;
}
