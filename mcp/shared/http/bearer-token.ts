/** The bearer token of an MCP server over HTTP: a file that its owner alone can read. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { causeText } from '../../../daemon/core/cause-text.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';

/** 256 bits. */
const randomBytesCount = 32;
/** Characters of RFC 6750, 2.1; 43 of base64url or 64 of hexadecimal hold 256 bits. */
const wellFormed = /^[A-Za-z0-9._~+/-]{43,512}=*$/;
const hexadecimal = /^[0-9a-f]+$/i;
const hexadecimalMinChars = 64;

export interface BearerToken {
  readonly value: string;
  /** the file was not there and a token was made */
  readonly isNew: boolean;
}

/**
 * Reads the token, or makes one where there is no such file, so that nobody invents a weak one.
 * @throws DriveMcpError TOKEN_INVALID where others may read the file or the token is too short; FILE_UNREADABLE,
 * FILE_UNWRITABLE
 */
export function readOrMakeToken(path: string): BearerToken {
  const made = makeToken(path);
  if (made !== null) return { value: made, isNew: true };
  return { value: readToken(path), isNew: false };
}

function makeToken(path: string): string | null {
  const value = randomBytes(randomBytesCount).toString('base64url');
  try {
    writeFileSync(path, `${value}\n`, { mode: 0o600, flag: 'wx' });
    return value;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw new DriveMcpError('FILE_UNWRITABLE', `no token can be made: ${causeText(cause)}`, {
      location: { file: path },
      cause,
    });
  }
}

function readToken(path: string): string {
  const invalid = (message: string) =>
    new DriveMcpError('TOKEN_INVALID', message, { location: { file: path } });
  let file: number;
  try {
    // What is checked is what is read, and neither a link is followed nor a FIFO waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    throw new DriveMcpError('FILE_UNREADABLE', `the token cannot be read: ${causeText(cause)}`, {
      location: { file: path },
      cause,
    });
  }
  try {
    const { mode, uid, size } = fstatSync(file);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw invalid('the token is no regular file');
    if ((mode & 0o077) !== 0)
      throw invalid(`others may read or write the token (mode ${(mode & 0o777).toString(8)}, want 600)`);
    if (uid !== process.getuid?.() && uid !== 0) throw invalid('the token belongs to another user');
    if (size > 1024) throw invalid('the token is too long');
    const value = readFileSync(file, 'utf8').trim();
    if (!wellFormed.test(value) || (hexadecimal.test(value) && value.length < hexadecimalMinChars)) {
      throw invalid('the token holds less than 256 bits, or a character that a header cannot carry');
    }
    return value;
  } finally {
    closeSync(file);
  }
}

/** Whether `Authorization` carries the token. Digests are compared, so the time tells neither content nor length. */
export function carriesToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S{1,1024})$/i.exec(authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
