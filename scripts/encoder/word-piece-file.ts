/** `tokenizer.json` of a WordPiece tokenizer that folds case and diacritics and marks nothing: no [CLS], no [SEP]. */

export const unknownToken = '[UNK]';

/** @param vocabulary tokens in the order of their ids; continuations begin with ##; the first is [UNK] */
export function wordPieceFile(vocabulary: readonly string[]): string {
  const file = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [
      {
        id: 0,
        content: unknownToken,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
      },
    ],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: true,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: unknownToken,
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 64,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  };
  return `${JSON.stringify(file)}\n`;
}
