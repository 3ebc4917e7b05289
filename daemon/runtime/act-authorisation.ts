/**
 * Where the authorisation of ACT lies, and whether its file may be believed: a regular file of root, one link, that nobody
 * else may write and others may not read, in folders that only root may write. Root says yes by making it, and takes it
 * back by removing it; the daemon looks once a second.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  type AuthorisationVerdict,
  judgeAuthorisation,
  readAuthorisation,
} from '../core/act/authorisation.js';
import type { AuditEntry } from '../core/tick.js';

const maxBytes = 4096;
const lookEveryMs = 1000;
/** Name under which a service manager hands it over (systemd: LoadCredential=). */
const credentialName = 'drivemcp-act';
const defaultFile = '/etc/drivemcp/act-authorisation.json';

/** The file that counts: the one configured, else a credential of the service manager, else the usual place. */
export function authorisationFile(configured: string, environment: NodeJS.ProcessEnv): string {
  if (configured !== '') return resolve(configured);
  const credentials = environment['CREDENTIALS_DIRECTORY'];
  return credentials === undefined ? defaultFile : join(credentials, credentialName);
}

/** This machine: SHA-256 of its machine id, so that a token that is shown to others tells nothing. */
export function hostId(): string {
  const id = readFileSync('/etc/machine-id', 'utf8').trim();
  return createHash('sha256').update(`drivemcp act ${id}`, 'utf8').digest('hex');
}

/** Reads and judges; never throws. */
export function lookAtAuthorisation(path: string, configHash: string, nowMs: number): AuthorisationVerdict {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { isAuthorised: false, reason: isMissing ? 'no_token' : 'unsafe_file' };
  }
  try {
    const { mode, uid, nlink, size } = fstatSync(file);
    const isRegular = (mode & constants.S_IFMT) === constants.S_IFREG;
    const isOthers = (mode & 0o027) !== 0;
    if (!isRegular || uid !== 0 || nlink !== 1 || isOthers || size > maxBytes || !isRootsAlone(path))
      return { isAuthorised: false, reason: 'unsafe_file' };
    const bytes = Buffer.alloc(maxBytes);
    const length = readSync(file, bytes, 0, maxBytes, 0);
    const token = readAuthorisation(parsed(bytes.toString('utf8', 0, length)));
    return judgeAuthorisation(token, { hostId: hostId(), configHash, nowMs });
  } catch {
    return { isAuthorised: false, reason: 'unsafe_file' };
  } finally {
    closeSync(file);
  }
}

/** Whoever may write a folder above could put another file in its place; the sticky bit keeps others' files alone. */
function isRootsAlone(path: string): boolean {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const { mode, uid } = lstatSync(folder);
    const isShared = (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
    if (uid !== 0 || isShared) return false;
    if (folder === dirname(folder)) return true;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Looks again once a second, and keeps what changed for the audit. */
export class AuthorisationWatch {
  readonly #path: string;
  readonly #configHash: string;
  readonly #nowMs: () => number;
  #lookedMs = -Infinity;
  #verdict: AuthorisationVerdict = { isAuthorised: false, reason: 'no_token' };
  #told: string | null = null;
  #entries: AuditEntry[] = [];

  constructor(path: string, configHash: string, nowMs: () => number) {
    this.#path = path;
    this.#configHash = configHash;
    this.#nowMs = nowMs;
  }

  get verdict(): AuthorisationVerdict {
    const nowMs = this.#nowMs();
    if (nowMs - this.#lookedMs >= lookEveryMs || nowMs < this.#lookedMs) {
      this.#lookedMs = nowMs;
      this.#verdict = lookAtAuthorisation(this.#path, this.#configHash, nowMs);
      this.#note();
    }
    return this.#verdict;
  }

  /** Uses and refusals since the last call, for the record. */
  takeEntries(): AuditEntry[] {
    return this.#entries.splice(0);
  }

  #note(): void {
    const verdict = this.#verdict;
    const state = verdict.isAuthorised ? 'used' : verdict.reason;
    if (state === this.#told) return;
    this.#told = state;
    this.#entries.push({
      kind: 'authorisation',
      commit: 'group',
      body: {
        authorised: verdict.isAuthorised,
        file: this.#path,
        config_hash: this.#configHash,
        ...(verdict.isAuthorised ? { expires_ms: verdict.expiresMs } : { reason: verdict.reason }),
      },
    });
  }
}
