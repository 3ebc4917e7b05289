/** Which rulepacks a command reads: those that come with the program and those installed, or one folder of packs. */
import { type Invocation, type OptionSpec, stringOption } from './command.js';
import { packSet } from './pack-world.js';

export const rulepackOptions = {
  packs: { type: 'string', value: 'DIR', help: 'folder of rulepacks instead of the installed ones' },
} as const satisfies Record<string, OptionSpec>;

type Pack = Awaited<ReturnType<typeof packSet>>['packs'] extends ReadonlyMap<string, infer One> ? One : never;
type Packs = ReadonlyMap<string, (Pack & { readonly pack: unknown })['pack']>;

/** Tells of packs that are not used. @throws DriveMcpError RULEPACK_INVALID where --packs names a folder that does not load */
export async function rulepacksOf(invocation: Invocation): Promise<Packs> {
  const folder = stringOption(invocation.values, 'packs');
  if (folder !== undefined) {
    const { loadRulepacks } = await import('../../mcp/rules/format/load-pack.js');
    return loadRulepacks(folder);
  }
  const { packs, refused } = await packSet(invocation);
  for (const { id, error } of refused) {
    invocation.terminal.message(`drivemcp: ${id} is not used: ${error.message} (drivemcp rules doctor)`);
  }
  return new Map([...packs].map(([id, { pack }]) => [id, pack]));
}
