/** Who may see the pictures: everybody on this machine, or whoever knows the token. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** What a Digest answer is an answer to (RFC 2617, 3.2): a nonce of the server's, and the request it goes with. */
export interface DigestContext {
  readonly nonce: string;
  readonly method: string;
  readonly url: string;
}

export const viewerRealm = 'camera';

export class ViewerAccess {
  readonly #token: string | null;

  /** @param token null: none is asked for */
  constructor(token: string | null) {
    this.#token = token;
  }

  get isOpen(): boolean {
    return this.#token === null;
  }

  /**
   * @param authorization the header: `Bearer TOKEN`, `Basic` with the token as the password, or, where there is a context,
   * `Digest` with it, which does not show the token to who listens on the wire
   */
  allows(authorization: string | undefined, context: DigestContext | null = null): boolean {
    if (this.#token === null) return true;
    const parts = /^(Bearer|Basic|Digest) +([\x20-\x7e]{1,2048})$/i.exec(authorization ?? '');
    const [, scheme = '', given = ''] = parts ?? [];
    switch (scheme.toLowerCase()) {
      case 'bearer':
        return isSame(given, this.#token);
      case 'basic':
        return isSame(passwordOf(given), this.#token);
      case 'digest':
        return context !== null && isAnswer(given, this.#token, context);
      default:
        return false;
    }
  }
}

function passwordOf(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}

/** RFC 2617, 3.2.2.1 without `qop`, as RTSP players answer it. */
function isAnswer(given: string, token: string, { nonce, method, url }: DigestContext): boolean {
  const fields = new Map<string, string>();
  for (const [, name = '', quoted, plain] of given.matchAll(/([A-Za-z]+)=(?:"([^"]*)"|([^\s,"]+))/g))
    fields.set(name.toLowerCase(), quoted ?? plain ?? '');
  const isOurs =
    fields.get('realm') === viewerRealm && fields.get('nonce') === nonce && fields.get('uri') === url;
  if (!isOurs) return false;
  const secret = md5(`${fields.get('username') ?? ''}:${viewerRealm}:${token}`);
  return isSame(fields.get('response') ?? '', md5(`${secret}:${nonce}:${md5(`${method}:${url}`)}`));
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Digests are compared, so the time tells neither content nor length. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
