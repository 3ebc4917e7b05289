/** What commands that search the rulebook have in common: the encoder, and where vectors and tuning are kept. */
import { join } from 'node:path';
import { loadConfig } from '../runtime/config.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { type Invocation, type OptionSpec, stringOption } from './command.js';
import { configFile } from './config-file.js';

export const encoderOptions = {
  encoder: {
    type: 'string',
    value: 'NAME',
    help: 'dense half of the search: default, subword, an installed model, or none; default: [rules] encoder',
  },
} as const satisfies Record<string, OptionSpec>;

/** @throws DriveMcpError MODEL_UNKNOWN, MODEL_INVALID where a model is named that cannot be used */
export async function retrievalMeans({ values, terminal }: Pick<Invocation, 'values' | 'terminal'>) {
  const { openEncoder } = await import('../../mcp/rules/retrieval/open-encoder.js');
  const { tuningCache } = await import('../../mcp/rules/retrieval/tuning-cache.js');
  const { vectorCache } = await import('../../mcp/rules/retrieval/vector-cache.js');
  const tell = (message: string): void => terminal.message(`drivemcp: ${message}`);
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  const folder = join(stateDir, 'retrieval');
  const named = stringOption(values, 'encoder');
  const name = named ?? loadConfig(configFile(values)).config.rules.encoder;
  const encoder =
    name === 'none'
      ? null
      : await openEncoder(name, {
          stateDir,
          // A model that was asked for here and cannot be used is an error; the default and that of the configuration fall back.
          ...(named === undefined || named === 'default'
            ? { onFallback: (reason: Error) => tell(`${reason.message}: sub-words are used instead`) }
            : {}),
        });
  const tuning = tuningCache(folder, tell);
  return { encoder, vectors: vectorCache(folder, tell), tuning, close: async () => encoder?.close() };
}
