/** The file a picture goes to: opened before the work begins, put in place when it is whole. */
import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { causeText } from '../../core/cause-text.js';
import { DriveMcpError } from '../../core/errors.js';

export interface PlotFile {
  readonly path: string;
  /** Puts the picture in place of whatever had the name. */
  write(svg: string): void;
  /** Leaves nothing behind where `write` did not come; may be called after it. */
  close(): void;
}

/**
 * @throws DriveMcpError USAGE for a name that is no picture's (a recording must never be written over),
 *   FILE_UNWRITABLE where the file cannot be made
 */
export function openPlotFile(path: string): PlotFile {
  if (!/[^/]\.svg$/i.test(path)) {
    throw new DriveMcpError('USAGE', `--plot takes the name of an .svg file, got '${path}'`);
  }
  const part = `${path}.${process.pid}.part`;
  const failing = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      throw new DriveMcpError('FILE_UNWRITABLE', `cannot write the picture: ${causeText(cause)}`, {
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
    write: (svg) =>
      failing(() => {
        writeFileSync(part, svg);
        renameSync(part, path);
      }),
    close: () => rmSync(part, { force: true }),
  };
}
