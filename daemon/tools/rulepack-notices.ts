import { resolveJurisdiction } from '../../mcp/rules/evaluate/jurisdiction.js';
import { readPackSet } from '../../mcp/rules/install/installed-packs.js';
import type { RulepackSet } from '../../mcp/rules/rules-expert.js';
import { packageFile } from '../runtime/package-root.js';

/** What people should know before a drive in this place, with the packs that answer on this machine read for it. */
export function installedPackNotices(jurisdiction: string, stateDir: string): string[] {
  const { packs } = readPackSet(packageFile('rulepacks'), stateDir);
  return packNotices(jurisdiction, new Map([...packs].map(([id, { pack }]) => [id, pack])));
}

/** A country without a rulepack is no error: advice goes on, without its law. */
export function packNotices(jurisdiction: string, packs: RulepackSet): string[] {
  // On which day is no matter here: a pack is there or it is not.
  if (jurisdiction === '' || resolveJurisdiction(jurisdiction, packs, '9999-12-31') !== null) return [];
  const installed = [...packs.keys()].join(', ');
  return [
    `there is no rulepack for ${jurisdiction} (installed: ${installed}): no legal limit is known there`,
  ];
}
