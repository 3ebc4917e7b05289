/** `act …`: the authorisation without which an ACT goes nowhere. It is a file of root, never to be had over MCP. */
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { authorisationHoursMax, authorisationObject } from '../core/act/authorisation.js';
import { DriveMcpError } from '../core/errors.js';
import { authorisationFile, hostId, lookAtAuthorisation } from '../runtime/act-authorisation.js';
import { systemClock } from '../runtime/clock.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';

const fileOption = {
  file: {
    type: 'string',
    value: 'FILE',
    help: 'where it lies; default /etc/drivemcp/act-authorisation.json',
  },
  'config-hash': {
    type: 'string',
    value: 'HASH',
    help: 'configuration it is for; run --act carla names its own',
  },
} as const;

const words: Readonly<Record<string, string>> = {
  no_token: 'there is no authorisation',
  malformed: 'the file holds none',
  other_host: 'it is for another machine',
  other_configuration: 'it is for another configuration',
  not_yet: 'it was made in the future: the clock was set back',
  expired: 'it has ended',
  too_long: `it is for more than ${authorisationHoursMax} hours`,
  unsafe_file:
    'the file may not be believed: it has to be a regular file of root that nobody else may write or others read',
};

export const commands: readonly CommandSpec[] = [
  {
    path: ['act', 'authorise'],
    summary: 'as root: lets ACT brake the simulated car of one configuration on this machine, for some hours',
    arity: [0, 0],
    options: {
      ...fileOption,
      for: { type: 'string', value: 'TIME', help: `30m, 2h …; at most ${authorisationHoursMax}h` },
    },
    details:
      'ACT is off unless the configuration names a sink for it (act.sink, --act) and this file says yes. It binds to this machine\n' +
      'and to the hash of one configuration, ends by itself, and is looked at every second: removing it takes it back.\n' +
      'What can be braked is the ego of run --carla, simulated. There is no sink for a real vehicle.\n' +
      'Research software beside certified functions, never in their place.',
    examples: [
      ['sudo drivemcp act authorise --for 2h --config-hash HASH', 'HASH as run --act carla names it'],
    ],
    run: authorise,
  },
  {
    path: ['act', 'status'],
    summary: 'says whether ACT is authorised on this machine, and why not',
    arity: [0, 0],
    options: fileOption,
    examples: [['drivemcp act status --config-hash HASH', 'exit code 0: authorised, 1: not']],
    run: status,
  },
];

async function authorise({ values, terminal }: Invocation): Promise<number> {
  const configHash = configHashOf(values);
  const minutes = minutesOf(stringOption(values, 'for') ?? '1h');
  if (process.getuid?.() !== 0)
    throw new DriveMcpError('ACT_NOT_AUTHORISED', 'only root may authorise ACT', {});
  const path = authorisationFile(stringOption(values, 'file') ?? '', {});
  const issuedMs = systemClock.wallMs();
  const token = { hostId: hostId(), configHash, issuedMs, expiresMs: issuedMs + minutes * 60_000 };
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, `${JSON.stringify(authorisationObject(token))}\n`, { mode: 0o640, flag: 'wx' });
  chmodSync(part, 0o640);
  renameSync(part, path);
  const verdict = lookAtAuthorisation(path, configHash, systemClock.wallMs());
  if (!verdict.isAuthorised)
    throw new DriveMcpError('ACT_NOT_AUTHORISED', `written, but ${words[verdict.reason]}`, {
      location: { file: path },
    });
  const until = new Date(token.expiresMs).toISOString();
  if (terminal.json) terminal.object({ file: path, config_hash: configHash, expires: until });
  else terminal.line(`authorised until ${until}: ${path} (a group that is to read it: chgrp)`);
  return 0;
}

async function status({ values, terminal }: Invocation): Promise<number> {
  const path = authorisationFile(stringOption(values, 'file') ?? '', process.env);
  const verdict = lookAtAuthorisation(path, configHashOf(values), systemClock.wallMs());
  if (terminal.json)
    terminal.object({
      file: path,
      authorised: verdict.isAuthorised,
      ...(verdict.isAuthorised
        ? { expires: new Date(verdict.expiresMs).toISOString() }
        : { reason: verdict.reason }),
    });
  else if (verdict.isAuthorised)
    terminal.line(`authorised until ${new Date(verdict.expiresMs).toISOString()}`);
  else terminal.line(`not authorised: ${words[verdict.reason]} (${path})`);
  return verdict.isAuthorised ? 0 : 1;
}

function configHashOf(values: Invocation['values']): string {
  const hash = stringOption(values, 'config-hash') ?? '';
  if (/^[0-9a-f]{64}$/.test(hash)) return hash;
  throw new DriveMcpError('USAGE', '--config-hash takes the 64 digits that run --act carla names');
}

function minutesOf(text: string): number {
  const match = /^(\d{1,3})(m|h)$/.exec(text);
  const minutes = match === null ? 0 : Number(match[1]) * (match[2] === 'h' ? 60 : 1);
  if (minutes > 0 && minutes <= authorisationHoursMax * 60) return minutes;
  throw new DriveMcpError('USAGE', `--for takes 1m to ${authorisationHoursMax}h, got '${text.slice(0, 40)}'`);
}
