import { type OutputFile, openOutputFile } from '../output-file.js';

export type PlotFile = OutputFile;

/** The file a plot goes to; see `openOutputFile`. */
export function openPlotFile(path: string): PlotFile {
  return openOutputFile(path, { option: '--plot', ending: '.svg', what: 'the picture' });
}
