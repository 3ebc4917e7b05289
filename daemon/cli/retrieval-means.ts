/** What commands that search the rulebook have in common: the encoder, and where vectors and tuning are kept. */
import { join } from 'node:path';
import { resolveStateDir } from '../runtime/state-dir.js';
import { type Invocation, type OptionSpec, stringOption } from './command.js';

export const encoderOptions = {
  encoder: {
    type: 'string',
    value: 'NAME',
    help: 'dense half of the search: default, subword, an installed model, or none',
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
  const name = stringOption(values, 'encoder') ?? 'default';
  const encoder =
    name === 'none'
      ? null
      : await openEncoder(name, {
          stateDir,
          // A model that was asked for by name and cannot be used is an error; the default falls back and says so.
          ...(name === 'default'
            ? { onFallback: (reason: Error) => tell(`${reason.message}: sub-words are used instead`) }
            : {}),
        });
  const tuning = tuningCache(folder, tell);
  return { encoder, vectors: vectorCache(folder, tell), tuning, close: async () => encoder?.close() };
}
