/** The packs that a command sees: built-in ones, those of the state directory, and the one somebody works on. */
import { resolve } from 'node:path';
import { systemClock } from '../runtime/clock.js';
import { packageFile } from '../runtime/package-root.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { type Invocation, stringOption } from './command.js';

type PackSet = Awaited<ReturnType<typeof packSet>>;
type Rulepack =
  PackSet['packs'] extends ReadonlyMap<string, infer Installed extends { pack: unknown }>
    ? Installed['pack']
    : never;

/** All packs that answer on this machine. */
export async function packSet({ values }: Pick<Invocation, 'values'>) {
  const { readPackSet } = await import('../../mcp/rules/install/installed-packs.js');
  return readPackSet(packageFile('rulepacks'), resolveStateDir(stringOption(values, 'state')));
}

/** @throws DriveMcpError RULEPACK_INVALID, FILE_MISSING */
export async function packAmongOthers(invocation: Pick<Invocation, 'values'>, folder: string) {
  const { loadRulepack } = await import('../../mcp/rules/format/load-pack.js');
  const others = await otherPacks(invocation);
  const pack = loadRulepack(resolve(folder), others);
  return { pack, packs: new Map([...others, [pack.manifest.id, pack]]) };
}

export async function otherPacks(
  invocation: Pick<Invocation, 'values'>,
): Promise<ReadonlyMap<string, Rulepack>> {
  const { packs } = await packSet(invocation);
  return new Map([...packs].map(([id, { pack }]) => [id, pack]));
}

/** Today in UTC as YYYY-MM-DD. */
export function today(): string {
  return new Date(systemClock.wallMs()).toISOString().slice(0, 10);
}
