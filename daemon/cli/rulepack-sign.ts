/** `rulepack keygen`, `sign`, `verify`: Ed25519 over pack.lock. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';

const trustedKeys = {
  type: 'string',
  value: 'FILE',
  help: 'public keys, one a line; default $STATE/trusted-keys',
} as const;

export const keygenCommand: CommandSpec = {
  path: ['rulepack', 'keygen'],
  summary: 'make a key that signs packs',
  positionals: 'FILE',
  arity: [1, 1],
  options: { name: { type: 'string', value: 'NAME', help: 'whose key it is, for those who trust it' } },
  details:
    'Writes FILE (private, for its owner alone) and FILE.pub: one line, to be added to trusted-keys of a state directory.',
  examples: [['drivemcp rulepack keygen town.key --name "Road office"', 'town.key and town.key.pub']],
  run: keygen,
};

export const signCommand: CommandSpec = {
  path: ['rulepack', 'sign'],
  summary: 'sign a built pack: writes pack.sig',
  positionals: 'DIR',
  arity: [1, 1],
  options: { key: { type: 'string', value: 'FILE', help: 'private key of rulepack keygen' } },
  examples: [['drivemcp rulepack sign mytown --key town.key', 'after drivemcp rulepack build mytown']],
  run: signPack,
};

export const verifyCommand: CommandSpec = {
  path: ['rulepack', 'verify'],
  summary: 'compare a pack with its lock and signature',
  positionals: 'PACK',
  arity: [1, 1],
  options: { 'trusted-keys': trustedKeys },
  details: 'PACK is a folder or a tar. Exit code 1 where it is not signed by a trusted key.',
  examples: [
    ['drivemcp rulepack verify mytown --trusted-keys town.key.pub', 'signed, unsigned or tampered, and why'],
  ],
  run: verifyPack,
};

async function keygen({ values, positionals, terminal }: Invocation): Promise<number> {
  const { generateKeyFiles } = await import('../../mcp/rules/integrity/signing-keys.js');
  const file = resolve(positionals[0] ?? '');
  const { id, line } = generateKeyFiles(file, stringOption(values, 'name') ?? 'unnamed');
  if (terminal.json) terminal.object({ key_id: id, private_key: file, public_key: `${file}.pub` });
  else {
    terminal.line(`key ${id}: ${file} (keep it to yourself) and ${file}.pub`);
    terminal.line(`who trusts it adds this line to trusted-keys in the state directory:\n${line.trimEnd()}`);
  }
  return 0;
}

async function signPack({ values, positionals, terminal }: Invocation): Promise<number> {
  const { readPackFolder } = await import('../../mcp/rules/integrity/pack-files.js');
  const { lockDifferences, lockFile, signatureFile } = await import('../../mcp/rules/integrity/pack-lock.js');
  const { readPrivateKey } = await import('../../mcp/rules/integrity/signing-keys.js');
  const { signatureText } = await import('../../mcp/rules/integrity/signature.js');
  const keyFile = stringOption(values, 'key');
  if (keyFile === undefined) {
    throw new DriveMcpError('USAGE', 'name the key that signs: --key FILE', {
      hint: 'drivemcp rulepack keygen FILE makes one',
    });
  }
  const folder = resolve(positionals[0] ?? '.');
  const files = readPackFolder(folder);
  const [changed] = lockDifferences(files) ?? [{ path: lockFile, difference: 'missing' }];
  if (changed) {
    throw new DriveMcpError('RULEPACK_INVALID', `is ${changed.difference}: build the pack first`, {
      location: { file: join(folder, changed.path) },
      hint: 'drivemcp rulepack build DIR',
    });
  }
  const key = readPrivateKey(keyFile);
  writeFileSync(join(folder, signatureFile), signatureText(files.get(lockFile) ?? Buffer.alloc(0), key));
  if (terminal.json) terminal.object({ pack: folder, key_id: key.id });
  else terminal.line(`signed by key ${key.id}`);
  return 0;
}

async function verifyPack({ values, positionals, terminal }: Invocation): Promise<number> {
  const { readPack } = await import('../../mcp/rules/install/install-pack.js');
  const { checkSignature, readTrust } = await import('../../mcp/rules/integrity/signature.js');
  const { treeHash } = await import('../../mcp/rules/integrity/pack-lock.js');
  const files = await readPack(resolve(positionals[0] ?? '.'));
  const trust = readTrust(
    resolveStateDir(stringOption(values, 'state')),
    stringOption(values, 'trusted-keys'),
  );
  const result = checkSignature(files, trust);
  if (terminal.json) terminal.object({ ...result, tree_sha256: treeHash(files) });
  else if (result.state === 'signed')
    terminal.line(`signed by ${result.name} (key ${result.keyId}); every file is as it was built`);
  else terminal.line(`${result.state}: ${result.reason}`);
  return result.state === 'signed' ? 0 : 1;
}
