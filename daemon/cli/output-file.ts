/** A file that a command makes: opened before the work begins, put in place when it is whole. */
import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';

export interface OutputFile {
  readonly path: string;
  /** Puts it in place of whatever had the name. */
  write(content: string | Uint8Array): void;
  /** Leaves nothing behind where `write` did not come; may be called after it. */
  close(): void;
}

/** What is written: the option that names the file, the ending the name must have, the thing in words. */
export interface OutputKind {
  readonly option: string;
  readonly ending: `.${string}`;
  readonly what: string;
}

/**
 * @throws DriveMcpError USAGE for a name with another ending (a recording must never be written over),
 *   FILE_UNWRITABLE where the file cannot be made
 */
export function openOutputFile(path: string, { option, ending, what }: OutputKind): OutputFile {
  if (!path.toLowerCase().endsWith(ending) || /(^|\/)\.[^./]+$/.test(path)) {
    const article = /^\.[aefhilmnorsx]/.test(ending) ? 'an' : 'a';
    throw new DriveMcpError('USAGE', `${option} takes the name of ${article} ${ending} file, got '${path}'`);
  }
  const part = `${path}.${process.pid}.part`;
  const failing = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      throw new DriveMcpError('FILE_UNWRITABLE', `cannot write ${what}: ${causeText(cause)}`, {
        location: { file: path },
        cause,
      });
    }
  };
  failing(() => {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new Error('it is a directory');
    closeSync(openSync(part, 'wx'));
  });
  return {
    path,
    write: (content) =>
      failing(() => {
        writeFileSync(part, content);
        renameSync(part, path);
      }),
    close: () => rmSync(part, { force: true }),
  };
}
