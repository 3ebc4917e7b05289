/** The driver's preferences over restarts: one small file in the state directory, replaced as a whole. */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson } from '../core/canonical.js';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import { configSchema } from './config-schema.js';

/** What can be preferred, each key as the section `driver` of the configuration has it. */
const { language, units, verbosity, muted } = configSchema.shape.driver.unwrap().shape;
export const preferencesSchema = z.strictObject({
  language: language.unwrap().exactOptional(),
  units: units.unwrap().exactOptional(),
  verbosity: verbosity.unwrap().exactOptional(),
  muted: muted.unwrap().exactOptional(),
});
export type Preferences = z.infer<typeof preferencesSchema>;

const fileSchema = z.strictObject({
  version: z.literal(1),
  preferences: preferencesSchema,
  sha256: z.string(),
});
const maxChars = 16_384;

export interface PreferencesRead {
  readonly preferences: Preferences;
  /** for people: what was wrong with the file; the configuration's values count then */
  readonly notice: string | null;
}

export function preferencesPath(stateDir: string): string {
  return join(stateDir, 'preferences.json');
}

export function readPreferences(stateDir: string): PreferencesRead {
  const path = preferencesPath(stateDir);
  const damaged = (what: string) => ({
    preferences: {},
    notice: `${path} ${what}, preferences are those of the configuration; preferences set writes it anew`,
  });
  let text: string;
  try {
    text = readFileSync(path, 'utf8').slice(0, maxChars);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { preferences: {}, notice: null };
    return damaged(`cannot be read (${causeText(error)})`);
  }
  try {
    const { preferences, sha256 } = fileSchema.parse(JSON.parse(text));
    if (sha256 === checksum(preferences)) return { preferences, notice: null };
  } catch {
    // Told below: whatever is wrong with it, nothing in it is believed.
  }
  return damaged('is damaged');
}

/** @throws DriveMcpError FILE_UNWRITABLE */
export function writePreferences(stateDir: string, preferences: Preferences): void {
  const path = preferencesPath(stateDir);
  const file = { version: 1, preferences, sha256: checksum(preferences) };
  try {
    rmSync(`${path}.new`, { force: true });
    writeFileSync(`${path}.new`, `${JSON.stringify(file)}\n`, { mode: 0o640, flag: 'wx', flush: true });
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw new DriveMcpError('FILE_UNWRITABLE', `the preferences are not kept: ${causeText(error)}`, {
      location: { file: path },
      cause: error,
    });
  }
}

/** Guards against damage, not against people. */
function checksum(preferences: Preferences): string {
  return createHash('sha256')
    .update(canonicalJson({ version: 1, preferences }), 'utf8')
    .digest('hex');
}
