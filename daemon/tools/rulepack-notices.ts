import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { packageFile } from '../runtime/package-root.js';

/**
 * What people should know before a drive in this country, with the installed rulepacks read for it.
 * @throws DriveMcpError RULEPACK_INVALID
 */
export function installedPackNotices(jurisdiction: string): string[] {
  return packNotices(jurisdiction, [...loadRulepacks(packageFile('rulepacks')).keys()]);
}

/** A country without a rulepack is no error: advice goes on, without its law. */
export function packNotices(jurisdiction: string, packs: readonly string[]): string[] {
  const country = jurisdiction.split('/')[0] ?? '';
  if (country === '' || packs.includes(country)) return [];
  return [
    `there is no rulepack for ${country} (installed: ${packs.join(', ')}): no legal limit is known there`,
  ];
}
