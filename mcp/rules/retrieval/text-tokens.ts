/** From text to token ids, by the `tokenizer.json` of a model. */
import { join } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { tokenizerFile } from './encoder-manifest.js';
import type { ModelFolder } from './model-folder.js';
import type { TextRole } from './passage-encoder.js';

export interface TextTokens {
  readonly ids: readonly number[];
  /** 1 = counts in the mean */
  readonly mask: readonly number[];
  readonly isCut: boolean;
}

/** A passage is a paragraph; a text far beyond that is cut before the tokenizer, whose work grows with it. */
const textMaxChars = 100_000;

interface Encoding {
  readonly ids: readonly number[];
  readonly attention_mask: readonly number[];
}

export class TextTokenizer {
  readonly #encode: (text: string) => Encoding;
  readonly #folder: ModelFolder;
  /** special tokens that end every text, such as [SEP] */
  readonly #closing: number;

  private constructor(folder: ModelFolder, encode: (text: string, withSpecial: boolean) => Encoding) {
    this.#folder = folder;
    this.#encode = (text) => encode(text, true);
    const plain = encode('a', false).ids;
    const whole = encode('a', true).ids;
    const start = whole.findIndex((_, at) => plain.every((id, i) => whole[at + i] === id));
    this.#closing = plain.length === 0 || start < 0 ? 0 : whole.length - start - plain.length;
  }

  /** @throws DriveMcpError MODEL_INVALID, ENCODER_UNAVAILABLE where the optional package is absent */
  static async load(folder: ModelFolder): Promise<TextTokenizer> {
    const { Tokenizer } = await import('@huggingface/tokenizers').catch((cause: unknown) => {
      throw new DriveMcpError(
        'ENCODER_UNAVAILABLE',
        'the optional package @huggingface/tokenizers is not installed',
        { cause },
      );
    });
    try {
      const tokenizer = new Tokenizer(JSON.parse(folder.tokenizer.toString('utf8')) as object, {});
      return new TextTokenizer(folder, (text, withSpecial) =>
        tokenizer.encode(text, { add_special_tokens: withSpecial }),
      );
    } catch (cause) {
      throw new DriveMcpError('MODEL_INVALID', `not a tokenizer that loads: ${(cause as Error).message}`, {
        location: { file: join(folder.folder, tokenizerFile) },
        cause,
      });
    }
  }

  tokens(text: string, role: TextRole): TextTokens {
    const { manifest } = this.#folder;
    const prefix = role === 'query' ? manifest.query_prefix : manifest.passage_prefix;
    const isLong = text.length > textMaxChars;
    const { ids, attention_mask: mask } = this.#encode(prefix + text.slice(0, textMaxChars));
    const max = manifest.max_tokens;
    if (ids.length <= max) return { ids, mask, isCut: isLong };
    const body = max - this.#closing;
    const cut = (values: readonly number[]): number[] => [
      ...values.slice(0, body),
      ...values.slice(values.length - this.#closing),
    ];
    return { ids: cut(ids), mask: cut(mask), isCut: true };
  }
}
