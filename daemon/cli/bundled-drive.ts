/**
 * The drive that comes with the package, and its pin: what it must hash to, how it is played, and what the
 * decisions on it must hash to. A pin that does not fit is a determinism failure, or a change that has to say
 * why it changes decisions.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { DriveMcpError } from '../core/errors.js';
import { packageFile } from '../runtime/package-root.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/, '64 lower-case hexadecimal digits');

const pinSchema = z.strictObject({
  pin: z.literal(1),
  /** file beside the pin */
  drive: z.string().min(1),
  sha256: hash,
  /** version of the compression library that gave these bytes; another one may pack the same records differently */
  zlib: z.string(),
  scenario: z.string(),
  seed: z.number().int(),
  profile: z.string(),
  preset: z.enum(['default', 'paper-literal']),
  tick_period_ms: z.number().positive(),
  /** null while the decisions are not pinned */
  decision_hash: hash.nullable(),
});
export type DrivePin = z.infer<typeof pinSchema>;

export const bundledPinFile = packageFile('hil', 'drives', 'border-rain-braking.pin.json');

export interface BundledDrive {
  /** absolute path of the drive */
  readonly path: string;
  readonly pin: DrivePin;
}

/** Throws FILE_MISSING where the package comes without it, RECORDING_INVALID for an unusable pin. */
export function bundledDrive(): BundledDrive {
  let text: string;
  try {
    text = readFileSync(bundledPinFile, 'utf8');
  } catch (cause) {
    throw new DriveMcpError('FILE_MISSING', 'the bundled drive is not there', {
      location: { file: bundledPinFile },
      cause,
      hint: 'name a drive or log with --source, or make one with drivemcp hil record-drive',
    });
  }
  const pin = parsePin(text);
  return { path: packageFile('hil', 'drives', pin.drive), pin };
}

function parsePin(text: string): DrivePin {
  try {
    return pinSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new DriveMcpError('RECORDING_INVALID', 'the pin of the bundled drive is unusable', {
      location: { file: bundledPinFile },
      cause,
    });
  }
}
