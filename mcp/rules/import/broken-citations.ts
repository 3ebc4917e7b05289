/** Rules that a changed text no longer bears out: their author must read the new words. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { checkCitations } from '../format/citations.js';
import { withAncestors } from '../format/load-pack.js';
import type { Rulepack } from '../format/rulepack.js';

export interface BrokenRule {
  readonly pack: string;
  readonly rule: string;
  readonly message: string;
}

/**
 * What held with the pack as it was and does not with the pack as it will be.
 * @param packs all packs: those that extend it may cite its texts too
 */
export function newlyBroken(
  before: Rulepack,
  after: Rulepack,
  packs: ReadonlyMap<string, Rulepack>,
): BrokenRule[] {
  const known = new Set(brokenCitations(before, packs).map(({ pack, rule }) => `${pack} ${rule}`));
  return brokenCitations(after, packs).filter(({ pack, rule }) => !known.has(`${pack} ${rule}`));
}

function brokenCitations(pack: Rulepack, packs: ReadonlyMap<string, Rulepack>): BrokenRule[] {
  const world = new Map([...packs, [pack.manifest.id, pack]]);
  const broken: BrokenRule[] = [];
  for (const one of world.values()) {
    let line: Rulepack[];
    try {
      line = withAncestors(one, world);
    } catch (error) {
      if (!(error instanceof DriveMcpError)) throw error;
      continue; // it lacks its base: nothing that this import did
    }
    if (!line.includes(pack)) continue;
    for (const rule of one.rules) {
      try {
        checkCitations(rule, line, one.folder);
      } catch (error) {
        if (!(error instanceof DriveMcpError)) throw error;
        broken.push({ pack: one.manifest.id, rule: rule.id, message: error.message });
      }
    }
  }
  return broken;
}
