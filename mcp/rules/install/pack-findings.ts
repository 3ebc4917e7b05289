/** What is wrong among the packs of a machine: those that are not used (no base, two for one place, changed), dates. */
import type { InstalledPack, PackSet } from './installed-packs.js';

export interface PackFinding {
  readonly id: string;
  readonly status: 'FAIL' | 'WARN';
  readonly code: 'refused' | 'expired' | 'ended' | 'unsigned' | 'future';
  readonly found: string;
  readonly advice: string;
}

/** @param today as YYYY-MM-DD */
export function packFindings({ packs, refused }: PackSet, today: string): PackFinding[] {
  const findings: PackFinding[] = refused.map(({ id, error }) => ({
    id,
    status: 'FAIL',
    code: 'refused',
    found: [error.location.file, error.location.key, error.message].filter(Boolean).join(': '),
    advice: packs.has(id)
      ? 'the built-in pack of this id is used; install this one anew'
      : 'install it anew or remove it',
  }));
  for (const [id, installed] of packs) {
    findings.push(...aboutDates(id, installed, today));
    if (installed.signature.state === 'unsigned') {
      findings.push({
        id,
        status: 'WARN',
        code: 'unsigned',
        found: `its answers are degraded: ${installed.signature.reason}`,
        advice: 'have it signed, or add the key of its author to trusted-keys',
      });
    }
  }
  return findings.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function aboutDates(id: string, { pack }: InstalledPack, today: string): PackFinding[] {
  const { valid, kind, law_as_of: lawAsOf } = pack.manifest;
  const findings: PackFinding[] = [];
  if (valid.from > today || lawAsOf > today) {
    findings.push({
      id,
      status: 'WARN',
      code: 'future',
      found: `begins on ${valid.from}, law of ${lawAsOf}; today is ${today}`,
      advice: "look at the clock of this machine, or at the pack's dates",
    });
  }
  if (valid.until <= today) {
    findings.push({
      id,
      status: 'WARN',
      code: kind === 'temporary' ? 'ended' : 'expired',
      found:
        kind === 'temporary'
          ? `ended on ${valid.until}`
          : `was to be reviewed until ${valid.until}: its answers are degraded`,
      advice: kind === 'temporary' ? `remove it` : 'install a reviewed version',
    });
  }
  return findings;
}
