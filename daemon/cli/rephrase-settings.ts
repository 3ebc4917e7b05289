import type { Config } from '../runtime/config-schema.js';
import { readBounded } from '../runtime/read-bounded.js';

const key = { maxBytes: 4096, tooLarge: 'CONFIG_INVALID', what: 'a key' } as const;

/**
 * Who may say reasons in other words, as the configuration has it; null = nobody, which is the default.
 * @throws DriveMcpError FILE_MISSING, FILE_UNREADABLE, CONFIG_INVALID about the file of the key
 */
export function rephraseSettings({ ask }: Config) {
  if (ask.endpoint === '') return null;
  const apiKey = ask.api_key_file === '' ? null : readBounded(ask.api_key_file, key).toString('utf8').trim();
  return {
    endpoint: ask.endpoint,
    model: ask.model,
    timeoutMs: ask.timeout_ms,
    answerMaxBytes: ask.answer_max_bytes,
    allowRemote: ask.allow_remote,
    apiKey,
  };
}
