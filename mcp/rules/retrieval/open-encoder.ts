/** One way to an encoder for everybody who searches: by the word of `--encoder` and of the configuration. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { bundledModels } from './bundled-encoders.js';
import { defaultEncoder } from './default-encoder.js';
import { manifestFile, modelName } from './encoder-manifest.js';
import { HashedSubwordEncoder } from './hashed-subword-encoder.js';
import { OnnxEncoder, type OnnxEncoderOptions } from './onnx-encoder.js';
import type { PassageEncoder } from './passage-encoder.js';

export const subwordName = 'subword';

export interface OpenEncoderOptions {
  /** models installed there go before bundled ones; null = bundled ones alone */
  readonly stateDir: string | null;
  /**
   * Told why the encoder that was chosen cannot be used; the sub-word encoder is given in its place. Without it the error
   * is thrown.
   */
  readonly onFallback?: (reason: DriveMcpError) => void;
  /** package that runs ONNX graphs; for tests */
  readonly runtime?: OnnxEncoderOptions['runtime'];
}

/**
 * @param choice `default`, `subword`, or the name of a model that is bundled or installed
 * @throws DriveMcpError MODEL_UNKNOWN, MODEL_INVALID, ENCODER_UNAVAILABLE, FILE_MISSING where there is no `onFallback`
 */
export async function openEncoder(choice: string, options: OpenEncoderOptions): Promise<PassageEncoder> {
  const name = choice === 'default' ? defaultEncoder.name : choice;
  if (name === subwordName) return new HashedSubwordEncoder();
  try {
    const folder = modelFolderOf(name, options.stateDir);
    const { runtime } = options;
    return await OnnxEncoder.open({ folder, ...(runtime === undefined ? {} : { runtime }) });
  } catch (error) {
    if (!(error instanceof DriveMcpError) || !options.onFallback) throw error;
    options.onFallback(error);
    return new HashedSubwordEncoder();
  }
}

/** Folder of an installed or bundled model. @throws DriveMcpError MODEL_UNKNOWN */
export function modelFolderOf(name: string, stateDir: string | null): string {
  if (modelName.safeParse(name).success) {
    const places = [...(stateDir === null ? [] : [join(stateDir, 'models')]), bundledModels];
    for (const place of places) {
      const folder = join(place, name);
      if (existsSync(join(folder, manifestFile))) return folder;
    }
  }
  throw new DriveMcpError('MODEL_UNKNOWN', `there is no model '${name}' here`, { context: { name } });
}
