/** `pack.sig`: one line `ed25519 KEY-ID BASE64`, a signature over the bytes of `pack.lock`. */
import { sign, verify } from 'node:crypto';
import { join } from 'node:path';
import type { PackFiles } from './pack-files.js';
import { lockDifferences, lockFile, signatureFile, treeHash } from './pack-lock.js';
import { type PrivateKey, type PublicKey, readRevocations, readTrustedKeys } from './signing-keys.js';

/** Whom this machine trusts, and what has been taken back. */
export interface Trust {
  readonly keys: ReadonlyMap<string, PublicKey>;
  readonly revoked: ReadonlyMap<string, string>;
}

/** From `trusted-keys` and `revoked-keys` of a folder (the state directory). @throws DriveMcpError KEY_INVALID */
export function readTrust(folder: string, trustedKeysFile = join(folder, 'trusted-keys')): Trust {
  return { keys: readTrustedKeys(trustedKeysFile), revoked: readRevocations(join(folder, 'revoked-keys')) };
}

export type SignatureState =
  | { readonly state: 'signed'; readonly keyId: string; readonly name: string }
  /** no lock, no signature, or one of a key that nobody trusts */
  | { readonly state: 'unsigned'; readonly reason: string }
  /** lock or signature contradict the files, or were taken back: never to be loaded */
  | { readonly state: 'tampered'; readonly reason: string };

export function signatureText(lock: Buffer, key: PrivateKey): string {
  return `ed25519 ${key.id} ${sign(null, lock, key.key).toString('base64')}\n`;
}

/** What lock and signature say about the files. */
export function checkSignature(files: PackFiles, trust: Trust): SignatureState {
  const hash = treeHash(files);
  const revoked = trust.revoked.get(hash);
  if (revoked !== undefined) return { state: 'tampered', reason: `this version was revoked: ${revoked}` };
  const differences = lockDifferences(files);
  const [first] = differences ?? [];
  if (first)
    return { state: 'tampered', reason: `${first.path} is ${first.difference} since pack.lock was built` };
  const lock = files.get(lockFile);
  const signature = files.get(signatureFile)?.toString('utf8');
  if (lock === undefined) {
    return signature === undefined
      ? { state: 'unsigned', reason: 'it has no pack.lock' }
      : { state: 'tampered', reason: 'it has a signature but no pack.lock' };
  }
  if (signature === undefined) return { state: 'unsigned', reason: 'it has no pack.sig' };
  const parts = /^ed25519 ([0-9a-f]{16}) ([A-Za-z0-9+/]{86}==)\n?$/.exec(signature);
  if (!parts) return { state: 'tampered', reason: 'pack.sig is not a line `ed25519 KEY-ID BASE64`' };
  const [, keyId = '', base64 = ''] = parts;
  const takenBack = trust.revoked.get(keyId);
  if (takenBack !== undefined) return { state: 'tampered', reason: `key ${keyId} was revoked: ${takenBack}` };
  const key = trust.keys.get(keyId);
  if (!key) return { state: 'unsigned', reason: `key ${keyId} is not among the trusted keys` };
  return verify(null, lock, key.key, Buffer.from(base64, 'base64'))
    ? { state: 'signed', keyId, name: key.name }
    : { state: 'tampered', reason: `the signature of key ${keyId} does not fit pack.lock` };
}
