import { DriveMcpError } from '../core/errors.js';
import { WholeLineFile } from '../sources/logs/whole-line-file.js';
import { type OptionValues, stringOption } from './command.js';
import type { Terminal } from './terminal.js';

/** A line a picture; what is written is whole whenever the server ends. A full disk ends the lines, not the server. */
export async function openGroundTruth(values: OptionValues, terminal: Terminal) {
  const path = stringOption(values, 'ground-truth');
  if (path === undefined) return null;
  if (path === '') throw new DriveMcpError('USAGE', '--ground-truth needs the name of a file');
  const { faceRecord } = await import('../../hil/sim/camera/face-record.js');
  const file = new WholeLineFile(path);
  let isFull = false;
  return {
    get lines(): number {
      return file.lines;
    },
    take: ({ world, sensor, frame }: Picture, faces: readonly Parameters<typeof faceRecord>[0][]): void => {
      if (isFull) return;
      const line = {
        frame,
        t_s: Math.round(world.tS * 1e6) / 1e6,
        sensor: sensor.id,
        faces: faces.map(faceRecord),
      };
      try {
        file.write(`${JSON.stringify(line)}\n`);
      } catch (error) {
        isFull = true;
        terminal.message(`the ground truth ends at frame ${frame}: ${(error as Error).message}`);
      }
    },
    close: () => file.close(),
  };
}

interface Picture {
  readonly world: { readonly tS: number };
  readonly sensor: { readonly id: number };
  readonly frame: number;
}
