/** Every encoder that can be named here: built in, installed, known. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { bundledModels, knownEncoders } from './bundled-encoders.js';
import { defaultEncoder } from './default-encoder.js';
import { modelName } from './encoder-manifest.js';
import { installedModels } from './install-model.js';
import { readManifest } from './model-folder.js';
import { subwordName } from './open-encoder.js';

export interface ListedModel {
  readonly name: string;
  /** known: its files are not here; damaged: model.json cannot be read */
  readonly state: 'built-in' | 'installed' | 'installed, pinned here' | 'known' | 'damaged';
  readonly licence: string;
  readonly dimensions: number | null;
  readonly title: string;
  readonly is_default: boolean;
}

/** Installed ones hide built-in and known ones of their name. */
export function listModels(stateDir: string): ListedModel[] {
  const found = new Map<string, ListedModel>();
  const add = (one: Omit<ListedModel, 'is_default'>): void => {
    found.set(one.name, { ...one, is_default: one.name === defaultEncoder.name });
  };
  for (const { name, licence, dimensions, title } of knownEncoders().values())
    add({ name, state: 'known', licence, dimensions, title });
  add({
    name: subwordName,
    state: 'built-in',
    licence: 'Apache-2.0',
    dimensions: 384,
    title: 'hashed words and their parts; needs no file and no runtime',
  });
  const read = (folder: string, name: string, here: 'built-in' | 'installed'): void => {
    try {
      const { licence, dimensions, title, pinned_here: isPinned } = readManifest(folder);
      add({
        name,
        state: isPinned && here === 'installed' ? 'installed, pinned here' : here,
        licence,
        dimensions,
        title,
      });
    } catch (error) {
      if (!(error instanceof DriveMcpError)) throw error;
      add({ name, state: 'damaged', licence: '', dimensions: null, title: error.message });
    }
  };
  const bundled = readdirSync(bundledModels).filter(
    (name) => name !== 'known' && modelName.safeParse(name).success,
  );
  for (const name of bundled.sort()) read(join(bundledModels, name), name, 'built-in');
  for (const name of installedModels(stateDir)) read(join(stateDir, 'models', name), name, 'installed');
  const order = ['built-in', 'installed', 'installed, pinned here', 'damaged', 'known'];
  return [...found.values()].sort(
    (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || (a.name < b.name ? -1 : 1),
  );
}
