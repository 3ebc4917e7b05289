/**
 * Lines of a link: `SEAL NUMBER JSON`, the seal over number and JSON. Numbers count from 0 without a gap, so that a line
 * that is repeated, left out, moved or changed ends the link.
 */
import { StringDecoder } from 'node:string_decoder';
import { isSameDigest, sealOf } from './link-secrets.js';

export const lineMaxBytes = 1024;

export class LinkError extends Error {}

/** Cuts bytes into lines; throws LinkError for a line that is longer than any of the protocol. */
export class LineCutter {
  readonly #decoder = new StringDecoder('utf8');
  #held = '';

  push(chunk: Buffer): readonly string[] {
    const lines = (this.#held + this.#decoder.write(chunk)).split('\n');
    this.#held = lines.pop() ?? '';
    if (this.#held.length > lineMaxBytes || lines.some((line) => line.length > lineMaxBytes))
      throw new LinkError(`a line of more than ${lineMaxBytes} bytes`);
    return lines;
  }
}

export class Sealer {
  readonly #key: string;
  #next = 0;

  constructor(key: string) {
    this.#key = key;
  }

  seal(message: object): string {
    const text = `${this.#next++} ${JSON.stringify(message)}`;
    return `${sealOf(this.#key, text)} ${text}\n`;
  }
}

export class Opener {
  readonly #key: string;
  #next = 0;

  constructor(key: string) {
    this.#key = key;
  }

  /** The message in a line; throws LinkError where it is not the next one, or not sealed with our key. */
  open(line: string): unknown {
    const parts = /^([0-9a-f]{64}) ((\d{1,15}) (.*))$/s.exec(line);
    if (parts === null) throw new LinkError('a line that is not sealed');
    const [, seal, text = '', number, json = ''] = parts;
    if (!isSameDigest(seal, sealOf(this.#key, text))) throw new LinkError('a seal that is not ours');
    if (Number(number) !== this.#next) throw new LinkError(`line ${number} instead of ${this.#next}`);
    this.#next++;
    try {
      return JSON.parse(json);
    } catch {
      throw new LinkError('a sealed line that is no JSON');
    }
  }
}
