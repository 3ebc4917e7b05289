/** Who may see the pictures: everybody on this machine, or whoever knows the token. */
import { createHash, timingSafeEqual } from 'node:crypto';

export class ViewerAccess {
  readonly #digest: Buffer | null;

  /** @param token null: none is asked for */
  constructor(token: string | null) {
    this.#digest = token === null ? null : digest(token);
  }

  get isOpen(): boolean {
    return this.#digest === null;
  }

  /** @param authorization the header: `Bearer TOKEN`, or `Basic` with the token as the password, for players */
  allows(authorization: string | undefined): boolean {
    if (this.#digest === null) return true;
    const parts = /^(Bearer|Basic) ([\x21-\x7e]{1,1024})$/i.exec(authorization ?? '');
    if (parts === null) return false;
    const [, scheme = '', given = ''] = parts;
    const token = scheme.toLowerCase() === 'bearer' ? given : passwordOf(given);
    return timingSafeEqual(digest(token), this.#digest);
  }
}

function passwordOf(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
