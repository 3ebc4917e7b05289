/** The options of `obd poll`, and what they make of the poller. */
import { DriveMcpError } from '../core/errors.js';
import { answerIdOf, isFunctionalRequest, isRequestId } from '../core/obd-poll/obd-address.js';
import { minimumGapUs, type PollSettings, responseUs } from '../core/obd-poll/poll-settings.js';
import { booleanOption, type Invocation, listOption, type OptionSpec, stringOption } from './command.js';

export const pollOptions = {
  'allow-requests': {
    type: 'boolean',
    help: 'yes, send requests to the vehicle (or [obd] allow_requests = true)',
  },
  once: { type: 'boolean', help: 'one round, then end' },
  pids: { type: 'string', value: '0C,0D', help: 'only these PIDs; without VIN and trouble codes' },
  interval: { type: 'string', value: 'S', help: 'from round to round, s (default 1; no limit on the pause)' },
  seconds: { type: 'string', value: 'N', help: 'end after this long; default: Ctrl-C ends it' },
  addressing: {
    type: 'string',
    choices: ['auto', '11', '29'],
    value: 'BITS',
    help: 'identifiers of 11 or 29 bits; auto: 11 first',
  },
  ecu: {
    type: 'string',
    multiple: true,
    value: 'ID',
    help: 'ask this address for itself, too: 7B0, 7C0, 79B, 18DAxxF1',
  },
  'silent-bus': {
    type: 'boolean',
    help: 'ask although nothing else is heard (behind a gateway the connector is silent)',
  },
  'unknown-voltage': { type: 'boolean', help: 'go on where no ECU tells voltage or engine speed' },
  elm: {
    type: 'string',
    value: 'PORT',
    help: 'an ELM327 adapter instead: /dev/ttyUSB0[@BAUD] or tcp://HOST:PORT',
  },
  compare: {
    type: 'string',
    choices: ['obd-parser'],
    value: 'PACKAGE',
    help: 'hold five PIDs against that package, if installed (GPL-3.0)',
  },
} as const satisfies Record<string, OptionSpec>;

/** Behind an adapter: a serial line, its own commands before the request, its own timer. Its prompt ends the wait. */
const adapterResponseUs = 8_000_000;

/** @throws DriveMcpError USAGE */
export function pollSettingsOf(values: Invocation['values']): PollSettings {
  const pids = pidsOf(stringOption(values, 'pids'));
  const isElm = stringOption(values, 'elm') !== undefined;
  return {
    addressing: (stringOption(values, 'addressing') ?? 'auto') as PollSettings['addressing'],
    requestIds: requestIdsOf(values),
    gapUs: minimumGapUs,
    responseUs: isElm ? adapterResponseUs : responseUs,
    intervalUs: secondsOf(stringOption(values, 'interval') ?? '1', 'interval') * 1e6,
    isOnce: booleanOption(values, 'once'),
    pids,
    wantsVin: pids === null,
    wantsDtcs: pids === null,
    // An adapter hands on answers alone; whether the bus is alive cannot be heard through it.
    allowsSilentBus: isElm || booleanOption(values, 'silent-bus'),
    allowsUnknownVoltage: booleanOption(values, 'unknown-voltage'),
  };
}

/** @throws DriveMcpError USAGE */
export function secondsOf(text: string, option: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && Number.isFinite(seconds) && seconds > 0 && seconds <= 86_400) return seconds;
  throw new DriveMcpError('USAGE', `--${option} takes seconds above 0, at most 86400, got '${text}'`);
}

/** @throws DriveMcpError USAGE */
function requestIdsOf(values: Invocation['values']): number[] {
  return listOption(values, 'ecu').map((text) => {
    const id = /^([0-9A-Fa-f]{3}|[0-9A-Fa-f]{8})$/.test(text) ? Number.parseInt(text, 16) : -1;
    if (text.length === (id > 0x7ff ? 8 : 3) && isRequestId(id) && !isFunctionalRequest(id)) return id;
    const meant = answerHint(text);
    throw new DriveMcpError('USAGE', `--ecu ${text}: not an address that may be asked${meant}`, {
      hint: '7E0 … 7E7, 7B0, 7C0, 79B or 18DAxxF1',
    });
  });
}

function answerHint(text: string): string {
  for (let id = 0x7e0; id <= 0x7e7; id++)
    if (answerIdOf(id) === Number.parseInt(text, 16))
      return `; it answers there, ask ${id.toString(16).toUpperCase()}`;
  return '';
}

function pidsOf(text: string | undefined): number[] | null {
  if (text === undefined) return null;
  return text.split(',').map((word) => {
    const pid = /^[0-9A-Fa-f]{2}$/.test(word.trim()) ? Number.parseInt(word, 16) : -1;
    if (pid >= 0 && pid % 0x20 !== 0) return pid;
    throw new DriveMcpError(
      'USAGE',
      pid < 0
        ? `--pids takes two hexadecimal digits each, such as 0C,0D; got '${word}'`
        : `--pids: ${word} is a map of supported PIDs, which is asked for anyway`,
    );
  });
}
