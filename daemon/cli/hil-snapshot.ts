import { DriveMcpError } from '../core/errors.js';
import {
  booleanOption,
  type CommandSpec,
  type Invocation,
  type OptionValues,
  stringOption,
} from './command.js';
import { type OutputFile, openOutputFile } from './output-file.js';
import { scenarioOptions, servedScenario } from './served-scenario.js';

const shows = ['rgb', 'depth', 'labels'] as const;

export const snapshotCommand: CommandSpec = {
  path: ['hil', 'snapshot'],
  summary: "a picture of the simulator's camera, and what signs are in it",
  arity: [0, 0],
  options: {
    ...scenarioOptions,
    at: { type: 'string', value: 'S', help: 'simulated seconds from the start; default 0' },
    out: { type: 'string', value: 'FILE.png', help: 'picture to write' },
    'ground-truth': {
      type: 'string',
      value: 'FILE.json',
      help: 'which sign faces are in the picture, where, how far away, how much of them is hidden',
    },
    size: { type: 'string', value: 'WxH', help: 'pixels; default 640x360' },
    fov: { type: 'string', value: 'DEG', help: 'horizontal field of view; default 90' },
    mount: {
      type: 'string',
      value: 'X,Y,Z',
      help: 'metres ahead, to the right and above the middle of the ego; default 1.2,0,1.4',
    },
    turn: { type: 'string', value: 'PITCH,YAW,ROLL', help: "degrees, CARLA's signs; default 0,0,0" },
    world: { type: 'boolean', help: "--mount is a place of the world in CARLA's axes, not of the ego" },
    windscreen: { type: 'string', value: 'FOG,DROPS', help: 'what it looks through, each 0 to 1' },
    show: {
      type: 'string',
      value: 'WHAT',
      help: 'rgb (default), or what is true: depth, labels',
      choices: shows,
    },
  },
  details:
    'Simulated: a rendered stand-in with laws of its own, no model of a real camera. The same scenario, seed and time give\n' +
    "the same bytes. Depth and labels are encoded as CARLA's (labels as of 0.9.14). Ground truth is for oracles and\n" +
    'metrics; nothing that drives or decides gets to see it.',
  examples: [
    ['drivemcp hil snapshot --scenario gantries --at 14 --out gantry.png', 'what the camera sees there'],
    [
      'drivemcp hil snapshot --scenario border --at 30 --out b.png --ground-truth b.json',
      'with the signs that are in it',
    ],
    [
      'drivemcp hil snapshot --map town-gbr --world --mount 40,-1.6,1.4 --out town.png',
      'a map alone, from a place of your own',
    ],
  ],
  run,
};

async function run({ values, terminal }: Invocation): Promise<number> {
  const path = stringOption(values, 'out');
  if (path === undefined) throw new DriveMcpError('USAGE', 'where to? --out FILE.png');
  const [widthPx, heightPx] = size(stringOption(values, 'size') ?? '640x360');
  const [x, y, z] = numbers(values, 'mount', 3, [1.2, 0, 1.4], 100_000);
  const [pitchDeg, yawDeg, rollDeg] = numbers(values, 'turn', 3, [0, 0, 0], 360);
  const [fovDeg] = numbers(values, 'fov', 1, [90], 170);
  const [atS] = numbers(values, 'at', 1, [0], 86_400);
  if (!(atS >= 0)) throw new DriveMcpError('USAGE', '--at takes seconds from 0');
  if (!(fovDeg >= 5)) throw new DriveMcpError('USAGE', '--fov takes 5 to 170 degrees');
  const glass = values['windscreen'] === undefined ? null : numbers(values, 'windscreen', 2, [0, 0], 1);
  const show = (stringOption(values, 'show') ?? 'rgb') as (typeof shows)[number];
  const { world: scenario, mapText, title } = await servedScenario(values);
  const picture = openOutputFile(path, { option: '--out', ending: '.png', what: 'the picture' });
  let truth: OutputFile | null = null;
  try {
    const truthPath = stringOption(values, 'ground-truth');
    if (truthPath !== undefined)
      truth = openOutputFile(truthPath, {
        option: '--ground-truth',
        ending: '.json',
        what: 'the ground truth',
      });
    const { takeSnapshot } = await import('../../hil/sim/snapshot.js');
    const { faceRecord } = await import('../../hil/sim/camera/face-record.js');
    const { readOpenDrive } = await import('../../hil/opendrive/read-map.js');
    const isInWorld = booleanOption(values, 'world');
    const { png, tS, frame, hasEgo, faces } = takeSnapshot({
      scenario,
      map: readOpenDrive(mapText, scenario.map),
      atS,
      widthPx,
      heightPx,
      fovDeg,
      transform: { location: { x, y, z }, rotation: { pitchDeg, yawDeg, rollDeg } },
      isInWorld,
      ...(glass === null ? {} : { windscreen: { fog: glass[0], drops: glass[1] } }),
      show,
    });
    if (!hasEgo && !isInWorld)
      terminal.message('there is no ego: the camera stands at --mount in the world (--world says so)');
    picture.write(png);
    const said = {
      path,
      scenario: scenario.id,
      map: scenario.map,
      seed: scenario.seed,
      t_s: Math.round(tS * 1000) / 1000,
      frame,
      width_px: widthPx,
      height_px: heightPx,
      fov_deg: fovDeg,
      bytes: png.length,
    };
    truth?.write(`${JSON.stringify({ ...said, faces: faces.map(faceRecord) }, null, 2)}\n`);
    if (terminal.json) terminal.object({ ...said, faces: faces.map(faceRecord) });
    else {
      terminal.line(
        `${path}: ${title}, ${tS.toFixed(2)} s, ${widthPx}×${heightPx}, ${png.length} bytes (simulated)`,
      );
      for (const { signId, class: meaning, value, unit, distanceM, occlusion, legible } of faces)
        terminal.line(
          `  ${distanceM.toFixed(1).padStart(6)} m  ${signId}: ${[meaning, value, value === null ? '' : unit].filter((word) => word !== null && word !== '').join(' ')}${occlusion > 0.02 ? `, ${Math.round(occlusion * 100)} % hidden` : ''}${legible ? '' : ', too small to read'}`,
        );
    }
    return 0;
  } finally {
    picture.close();
    truth?.close();
  }
}

function size(text: string): readonly [number, number] {
  const [, width, height] = /^(\d{1,4})x(\d{1,4})$/.exec(text) ?? [];
  const [widthPx, heightPx] = [Number(width), Number(height)];
  if (!(widthPx >= 8 && widthPx <= 2048 && heightPx >= 8 && heightPx <= 2048))
    throw new DriveMcpError('USAGE', `--size takes 8x8 to 2048x2048, got '${text}'`);
  return [widthPx, heightPx];
}

/** Numbers with commas between them, each within ±`most`. */
function numbers<D extends readonly [number, ...number[]]>(
  values: OptionValues,
  name: string,
  count: number,
  fallback: D,
  most: number,
): D {
  const text = stringOption(values, name);
  if (text === undefined) return fallback;
  const found = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (found.length !== count || !found.every((value) => Math.abs(value) <= most))
    throw new DriveMcpError(
      'USAGE',
      `--${name} takes ${count} number${count === 1 ? '' : 's'} within ±${most}, got '${text}'`,
    );
  return found as unknown as D;
}
