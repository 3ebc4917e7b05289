/** The way back into `hil bridge`: the ACT of a daemon on another machine, onto the simulated ego. */
import { DriveMcpError } from '../core/errors.js';
import { systemClock } from '../runtime/clock.js';
import { readBounded } from '../runtime/read-bounded.js';
import { type OptionSpec, type OptionValues, stringOption } from './command.js';
import { parseListenAddress } from './listen-address.js';

export const actOptions = {
  'act-listen': {
    type: 'string',
    value: 'ADDR',
    help: 'take the ACT of a daemon with the key (run --act hil): 7310, 192.0.2.1:7310; port 0 = any',
  },
  'act-key-file': {
    type: 'string',
    value: 'FILE',
    help: 'key of the ACT link; made where there is none, then to be copied to the daemon with mode 600',
  },
  'brake-table': {
    type: 'string',
    value: 'FILE',
    help: 'how the ego brakes, measured by hil calibrate; without: nominal brakes of the simulated car',
  },
} as const satisfies Record<string, OptionSpec>;

/** Full brakes of the simulated car; other blueprints: hil calibrate. */
const simulatedPeakMps2 = 11;

/** null where no ACT is to be taken. @throws DriveMcpError USAGE, BRAKE_TABLE_UNUSABLE, TOKEN_INVALID */
export async function bridgeAct(values: OptionValues, isRealTime: boolean, notice: (text: string) => void) {
  const [text, keyFile] = [stringOption(values, 'act-listen'), stringOption(values, 'act-key-file')];
  const brakeFile = stringOption(values, 'brake-table');
  if (text === undefined) {
    if (keyFile === undefined && brakeFile === undefined) return null;
    throw new DriveMcpError('USAGE', '--act-key-file and --brake-table go with --act-listen');
  }
  if (keyFile === undefined)
    throw new DriveMcpError('USAGE', 'an ACT is taken only from who has the key', {
      hint: 'add --act-key-file FILE; it is made where there is none',
    });
  if (!isRealTime)
    throw new DriveMcpError('USAGE', 'an ACT over a link needs real time, not --pacing lockstep');
  const address = parseListenAddress(text, '127.0.0.1:7310');
  const { ActIn } = await import('../../hil/bridge/act-in.js');
  const { readBrakeTable } = await import('../../hil/act/brake-table.js');
  const { proportionalBrake } = await import('../core/act/brake-curve.js');
  const { readOrMakeToken } = await import('../../mcp/shared/http/bearer-token.js');
  const { value: key, isNew } = readOrMakeToken(keyFile);
  if (isNew) notice(`made a key in ${keyFile}: copy it to the daemon's machine, mode 600`);
  const table = brakeFile === undefined ? null : readBrakeTable(tableText(brakeFile), brakeFile);
  return new ActIn({
    ...address,
    key,
    brakes: table?.curve ?? proportionalBrake(simulatedPeakMps2),
    table,
    monoUs: systemClock.monoUs,
    notice,
  });
}

export function tableText(path: string): string {
  const bytes = readBounded(path, {
    maxBytes: 64 * 1024,
    tooLarge: 'BRAKE_TABLE_UNUSABLE',
    what: 'a brake table',
  });
  return new TextDecoder().decode(bytes);
}
