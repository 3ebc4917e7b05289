/**
 * Keys that sign packs (Ed25519, RFC 8032). A private key is a PKCS #8 PEM file that only its owner may read; a public
 * key is one line, `ed25519 ID BASE64 NAME`, which is also the form of the file of trusted keys. The id is the first 8
 * bytes of SHA-256 over the 32 bytes of the public key.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { DriveMcpError } from '../../../daemon/core/errors.js';

export interface PublicKey {
  readonly id: string;
  readonly name: string;
  readonly key: KeyObject;
}

export interface PrivateKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** Makes a pair: `PATH` (private, mode 0600) and `PATH.pub`. Never overwrites. @throws DriveMcpError FILE_UNWRITABLE */
export function generateKeyFiles(path: string, name: string): { readonly id: string; readonly line: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const id = keyId(publicKey);
  const line = `ed25519 ${id} ${rawBytes(publicKey).toString('base64')} ${name.replace(/\s+/g, ' ').trim() || 'unnamed'}\n`;
  writeNew(path, String(privateKey.export({ type: 'pkcs8', format: 'pem' })), 0o600);
  writeNew(`${path}.pub`, line, 0o644);
  return { id, line };
}

/** @throws DriveMcpError FILE_MISSING, KEY_INVALID */
export function readPrivateKey(path: string): PrivateKey {
  const text = readText(path);
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch (cause) {
    throw new DriveMcpError('KEY_INVALID', 'not a private key in PEM', { location: { file: path }, cause });
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new DriveMcpError('KEY_INVALID', `a key for ${key.asymmetricKeyType}, not Ed25519`, {
      location: { file: path },
    });
  }
  return { id: keyId(createPublicKey(key)), key };
}

/**
 * A file of public keys, one a line; `#` begins a comment. No file = no key is trusted.
 * @throws DriveMcpError KEY_INVALID with line
 */
export function readTrustedKeys(path: string): ReadonlyMap<string, PublicKey> {
  const keys = new Map<string, PublicKey>();
  if (!existsSync(path)) return keys;
  for (const [i, line] of readText(path).split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const parts = /^ed25519 ([0-9a-f]{16}) ([A-Za-z0-9+/]{43}=) (.+)$/.exec(line.trim());
    const key = parts && publicKeyOf(Buffer.from(parts[2] ?? '', 'base64'));
    if (!key || keyId(key) !== parts[1]) {
      throw new DriveMcpError(
        'KEY_INVALID',
        parts ? 'the key does not have this id' : 'not a line `ed25519 ID BASE64 NAME`',
        {
          location: { file: path, line: i + 1 },
        },
      );
    }
    keys.set(parts[1] ?? '', { id: parts[1] ?? '', name: parts[3] ?? '', key });
  }
  return keys;
}

/**
 * Key ids and tree hashes that no longer count, one a line, with a reason after it.
 * @throws DriveMcpError KEY_INVALID with line
 */
export function readRevocations(path: string): ReadonlyMap<string, string> {
  const revoked = new Map<string, string>();
  if (!existsSync(path)) return revoked;
  for (const [i, line] of readText(path).split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const parts = /^([0-9a-f]{16}|[0-9a-f]{64})(?:\s+(.*))?$/.exec(line.trim());
    if (!parts) {
      throw new DriveMcpError(
        'KEY_INVALID',
        'neither a key id (16 digits) nor the hash of a pack (64 digits)',
        {
          location: { file: path, line: i + 1 },
        },
      );
    }
    revoked.set(parts[1] ?? '', parts[2] ?? 'no reason given');
  }
  return revoked;
}

function keyId(key: KeyObject): string {
  return createHash('sha256').update(rawBytes(key)).digest('hex').slice(0, 16);
}

/** The 32 bytes at the end of an Ed25519 SubjectPublicKeyInfo (RFC 8410). */
function rawBytes(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' }).subarray(-32);
}

const spkiHead = Buffer.from('302a300506032b6570032100', 'hex');

function publicKeyOf(raw: Buffer): KeyObject | null {
  if (raw.length !== 32) return null;
  return createPublicKey({ key: Buffer.concat([spkiHead, raw]), format: 'der', type: 'spki' });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new DriveMcpError('FILE_MISSING', 'cannot read this key file', { location: { file: path }, cause });
  }
}

function writeNew(path: string, text: string, mode: number): void {
  try {
    const file = openSync(path, 'wx', mode);
    writeFileSync(file, text);
    closeSync(file);
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    throw new DriveMcpError(
      'FILE_UNWRITABLE',
      exists ? 'this file exists; a key is never overwritten' : 'cannot write the key',
      {
        location: { file: path },
        cause,
      },
    );
  }
}
