import { randomBytes } from 'node:crypto';

/** Name of a run: when it began (UTC) and four random hex digits: sorts by time, can be typed. */
export function createRunId(wallMs: number): string {
  const time = new Date(wallMs).toISOString().replace(/[-:]/g, '').slice(0, 15);
  return `${time}-${randomBytes(2).toString('hex')}`;
}
