import { closeSync, openSync, readSync } from 'node:fs';
import type { z } from 'zod';
import { causeText } from '../../core/cause-text.js';
import { DriveMcpError } from '../../core/errors.js';
import { nearestVssPath, vssCatalogue } from '../vss/catalogue.js';
import { type LocatedJson, parseLocatedJson } from './located-json.js';
import { type Profile, profileSchema } from './profile-schema.js';

/** A profile that is well formed by itself; its signals have not been looked up in a DBC yet. */
export interface ParsedProfile {
  readonly profile: Profile;
  readonly file: string;
  /** a located PROFILE_INVALID for a key path of this file */
  fault(path: readonly PropertyKey[], message: string, hint?: string): DriveMcpError;
}

/** A profile has a few hundred signals; a file of this size is something else. */
const maxProfileBytes = 4_000_000;

/**
 * Reads and checks a `profile.json`.
 * @throws DriveMcpError FILE_MISSING, or PROFILE_INVALID with line, column and key
 */
export function readProfile(file: string): ParsedProfile {
  const bytes = readBounded(file);
  if (bytes.length > maxProfileBytes) {
    throw new DriveMcpError('PROFILE_INVALID', 'the file is larger than 4 MB; it is no profile', {
      location: { file },
    });
  }
  return parseProfile(bytes.toString('utf8'), file);
}

/** At most one byte more than a profile may have, so that a device or an endless pipe ends. */
function readBounded(file: string): Buffer {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    const bytes = Buffer.alloc(maxProfileBytes + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count) {
      count = readSync(fd, bytes, length, bytes.length - length, null);
    }
    return bytes.subarray(0, length);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    throw new DriveMcpError(
      isMissing ? 'FILE_MISSING' : 'FILE_UNREADABLE',
      isMissing
        ? 'there is no such vehicle profile'
        : `the vehicle profile cannot be read: ${causeText(cause)}`,
      { location: { file }, cause },
    );
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Checks the text of a `profile.json`; `file` is for messages. */
export function parseProfile(text: string, file: string): ParsedProfile {
  const json = parseLocatedJson(text, file, 'PROFILE_INVALID');
  const fault = (path: readonly PropertyKey[], message: string, hint?: string): DriveMcpError =>
    new DriveMcpError('PROFILE_INVALID', message, {
      location: { file, ...json.locate(path), ...(path.length > 0 ? { key: keyText(path) } : {}) },
      ...(hint === undefined ? {} : { hint }),
    });
  const result = profileSchema.safeParse(json.value);
  if (!result.success) throw firstIssue(result.error, json, fault);
  checkPaths(result.data, fault);
  return { profile: result.data, file, fault };
}

function firstIssue(error: z.ZodError, json: LocatedJson, fault: ParsedProfile['fault']): DriveMcpError {
  // The first in the file, which is where a person starts reading.
  const [issue] = error.issues
    .map((each) => ({ each, position: json.locate(each.path) }))
    .sort((a, b) => a.position.line - b.position.line || a.position.column - b.position.column);
  if (!issue) return fault([], 'the profile is not valid');
  const { each } = issue;
  if (each.code === 'unrecognized_keys' && each.keys[0] !== undefined) {
    return fault([...each.path, each.keys[0]], `unknown key '${each.keys[0]}'`);
  }
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : '';
  return fault(each.path, `${each.message}${more}`);
}

function checkPaths(profile: Profile, fault: ParsedProfile['fault']): void {
  const takenBy = new Map<string, string>();
  for (const [key, signal] of Object.entries(profile.signals)) {
    const at = ['signals', key];
    if (!/^[^.\s]+\.[^.\s]+$/.test(key)) {
      throw fault(at, `'${key}' is not MESSAGE.SIGNAL`);
    }
    if (!vssCatalogue.has(signal.vss)) {
      const near = nearestVssPath(signal.vss);
      throw fault(
        [...at, 'vss'],
        `'${signal.vss}' is not a VSS path this daemon knows${near === undefined ? '' : `; did you mean ${near}?`}`,
      );
    }
    const other = takenBy.get(signal.vss);
    if (other !== undefined) {
      throw fault([...at, 'vss'], `${signal.vss} already comes from ${other}`, 'map one signal to a path');
    }
    takenBy.set(signal.vss, key);
    if (signal.min !== undefined && signal.max !== undefined && signal.min > signal.max) {
      throw fault([...at, 'min'], `min ${signal.min} is above max ${signal.max}`);
    }
  }
}

function keyText(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (/[.\s]/.test(String(part)) ? JSON.stringify(String(part)) : String(part)))
    .join('.');
}
