import type { FrameBatch } from '../core/can/frame-batch.js';
import { DriveMcpError } from '../core/errors.js';
import { kernelFilters } from '../sources/can/kernel-filters.js';
import { candumpLine } from '../sources/logs/candump-line.js';
import { WholeLineFile } from '../sources/logs/whole-line-file.js';
import { loadProfile } from '../vehicles/profile/load-profile.js';
import { type CommandSpec, type Invocation, listOption, stringOption } from './command.js';
import { countOption } from './count-option.js';
import { dbcOption } from './dbc-set.js';
import { interfaceEnd, secondsOf, secondsOption, watchBuses } from './live-buses.js';
import { count } from './table.js';

export const recordCommand: CommandSpec = {
  path: ['can', 'record'],
  summary: 'records interfaces into a candump log; the process cannot send',
  positionals: 'IF[,IF]',
  arity: [1, 1],
  options: {
    out: { type: 'string', value: 'FILE', help: 'log to make (candump -L text); never written over' },
    seconds: secondsOption,
    count: { type: 'string', value: 'N', help: 'end after this many frames' },
    profile: {
      type: 'string',
      value: 'PROFILE',
      help: 'only the messages that this vehicle profile reads; the kernel leaves out all others',
    },
    dbc: { ...dbcOption, help: 'DBC files of the profile, where they are not beside it' },
  },
  details:
    'Times are those of the kernel. Error frames are recorded as candump records them. An interface that is\nmissing, goes or comes is waited for; what the kernel or the process lost is counted and said at the end.\nWhere the disk is full the file ends with a whole line and the command with exit code 69.',
  examples: [
    ['drivemcp can record can0 --out drive.log', 'everything, until Ctrl-C'],
    ['drivemcp can record can0,can1 --out drive.log --seconds 60', 'two buses, a minute'],
  ],
  run: record,
};

async function record({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const out = stringOption(values, 'out');
  if (out === undefined) throw new DriveMcpError('USAGE', 'where to? --out FILE names the log');
  const seconds = secondsOf(values);
  const most = countOption(values, 'count') ?? Number.POSITIVE_INFINITY;
  const profileName = stringOption(values, 'profile');
  const profile =
    profileName === undefined
      ? null
      : (await loadProfile({ profile: profileName, dbcFiles: listOption(values, 'dbc') })).profile;
  let file: WholeLineFile | null = null;
  let elapsedUs = 0;
  let shownUs = 0;
  try {
    const pump = await watchBuses({
      names: positionals[0]!,
      filters: profile === null ? undefined : kernelFilters(profile.identifiers),
      seconds,
      terminal,
      signal,
      onOpen: () => {
        // Not before the interfaces are open: a command that cannot record leaves no empty file.
        file = new WholeLineFile(out);
      },
      onFrames: (batch, timesUs) => write(file!, batch, timesUs, most),
      afterTurn: (_pump, nowUs) => {
        elapsedUs = nowUs;
        if (nowUs - shownUs > 200_000) {
          shownUs = nowUs;
          terminal.progress(`${count(file?.lines ?? 0, 'frame')} in ${(nowUs / 1e6).toFixed(1)} s`);
        }
        return (file?.lines ?? 0) >= most;
      },
    });
    terminal.clearProgress();
    const interfaces = interfaceEnd(pump, elapsedUs, terminal);
    const { lines, bytes } = file as unknown as WholeLineFile;
    if (terminal.json) {
      terminal.object({ file: out, frames: lines, bytes, seconds: elapsedUs / 1e6, interfaces });
    } else {
      terminal.line(`${count(lines, 'frame')} in ${(elapsedUs / 1e6).toFixed(1)} s recorded into ${out}`);
    }
    return 0;
  } finally {
    (file as WholeLineFile | null)?.close();
  }
}

function write(file: WholeLineFile, batch: FrameBatch, timesUs: Float64Array, most: number): void {
  const end = Math.min(batch.count, most - file.lines);
  let text = '';
  for (let i = 0; i < end; i++) text += candumpLine(batch, i, timesUs[i]!);
  if (text !== '') file.write(text);
}
