/** What a command puts into a daemon's inbox: one small file, made whole before it is seen. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { noteMaxChars } from '../core/arbiter/given-feedback.js';
import { isWellFormed } from '../core/canonical.js';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';

const text = (maxChars: number) => z.string().min(1).max(maxChars).refine(isWellFormed, 'well-formed text');

export const letterSchema = z.strictObject({
  v: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{16}$/),
  wall_ms: z.number().int().positive(),
  kind: z.enum(['late_warning', 'false_positive', 'cancel', 'mute', 'unmute', 'prefer']),
  subject: text(40).optional(),
  value: text(40).optional(),
  note: text(noteMaxChars).optional(),
});
export type Letter = z.infer<typeof letterSchema>;

export const letterMaxBytes = 4096;
/** queue `inbox`: letters that wait for a daemon; beyond: refused to whoever writes */
export const inboxMaxCount = 64;

export function inboxDir(stateDir: string): string {
  return join(stateDir, 'inbox');
}

/**
 * Leaves a letter. Who may write into the folder may give feedback: that is all the authority there is.
 * @returns its id, under which the feedback log tells what became of it
 * @throws DriveMcpError FILE_UNWRITABLE
 */
export function leaveLetter(stateDir: string, letter: Omit<Letter, 'v' | 'id'>): string {
  const folder = inboxDir(stateDir);
  const id = randomBytes(8).toString('hex');
  const name = `${String(letter.wall_ms).padStart(16, '0')}-${id}`;
  try {
    mkdirSync(folder, { mode: 0o750 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(folder, error);
  }
  const unfinished = join(folder, `.${name}`);
  try {
    if (readdirSync(folder).length >= inboxMaxCount) throw new Error('it is full: no daemon takes from it');
    writeFileSync(unfinished, JSON.stringify({ v: 1, id, ...letter }), {
      mode: 0o640,
      flag: 'wx',
      flush: true,
    });
    renameSync(unfinished, join(folder, `${name}.json`));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw unwritable(folder, error);
  }
  return id;
}

function unwritable(folder: string, error: unknown): DriveMcpError {
  return new DriveMcpError('FILE_UNWRITABLE', `the inbox cannot be written: ${causeText(error)}`, {
    location: { file: folder },
    hint: 'feedback is for those who may write this folder: its owner, and whom the owner lets in (chmod, chgrp)',
    cause: error,
  });
}
