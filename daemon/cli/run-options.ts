import { DriveMcpError } from '../core/errors.js';
import type { ConfigOverrides, OptionNames } from '../runtime/config.js';
import { booleanOption, listOption, type OptionSpec, type OptionValues, stringOption } from './command.js';

export const runOptions = {
  source: {
    type: 'string',
    value: 'FILE|-',
    help: 'log, recorded drive, or - for a pipe; without: the bundled drive',
  },
  can: { type: 'string', value: 'IF[,IF]', help: 'CAN interfaces instead of a source: can0,can1' },
  'can-driver': {
    type: 'string',
    value: 'NAME',
    help: 'native (default, cannot send) or socketcan (npm package, for comparison)',
  },
  dbc: { type: 'string', multiple: true, value: 'FILE', help: 'DBC file of the vehicle' },
  profile: { type: 'string', value: 'P', help: 'vehicle profile: bundled name, profile.json or its folder' },
  speed: { type: 'string', value: 'N|max', help: 'times real time for a recorded drive; default max' },
  pacing: {
    type: 'string',
    value: 'HOW',
    choices: ['lockstep', 'charged', 'realtime'],
    help: "lockstep (default), charged (experts' measured latency passes in drive time), realtime (with --carla)",
  },
  preset: { type: 'string', value: 'NAME', help: 'parameters: default or paper-literal (advisory only)' },
  evaluator: {
    type: 'string',
    value: 'NAME',
    help: 'paper, or rss: full RSS is reported beside the deciding rule',
  },
  jurisdiction: { type: 'string', value: 'PATH', help: 'where the drive starts, e.g. DEU or GBR/WLS' },
  language: { type: 'string', value: 'TAG', help: 'language spoken to the driver: en, de, fr' },
  units: { type: 'string', value: 'UNIT', help: 'auto, km/h or mph' },
  speech: {
    type: 'string',
    value: 'SINK',
    help: 'log (default, nothing is heard), espeak-ng or speech-dispatcher',
  },
  'period-ms': { type: 'string', value: 'N', help: 'length of a tick: 20, 50 or 100' },
  act: {
    type: 'string',
    value: 'SINK',
    help: 'where an ACT goes: none (default), log, carla (the ego of --carla) or hil (the ego of a bridge, --act-peer), the last two with act authorise; none drives a vehicle',
  },
  'act-peer': {
    type: 'string',
    value: 'HOST:PORT',
    help: 'with --act hil: the bridge, as its --act-listen says',
  },
  'act-key-file': { type: 'string', value: 'FILE', help: 'with --act hil: the key that the bridge made' },
  isolation: {
    type: 'string',
    value: 'HOW',
    help: 'experts: inline (default, in this process) or process (one each, over stdio)',
  },
  'record-frames': {
    type: 'boolean',
    help: 'also record the raw frames, for replay --frames; interfaces do without being told',
  },
  live: { type: 'boolean', help: 'take the input as live, whatever its times say' },
} as const satisfies Record<string, OptionSpec>;

/** Options of the command line as values of the configuration; what they may be is the schema's to say. */
export function overridesOf(values: OptionValues, forced: { actSink?: 'log' } = {}): ConfigOverrides {
  const given = (option: string) => stringOption(values, option);
  const period = given('period-ms');
  const overrides = {
    tick: defined({ period_ms: numberOrText(period) }),
    core: defined({ preset: given('preset'), evaluator: given('evaluator') }),
    driver: defined({ language: given('language'), units: given('units') }),
    speech: defined({ sink: given('speech') }),
    vehicle: defined({
      jurisdiction: given('jurisdiction'),
      profile: given('profile'),
      dbc: listOption(values, 'dbc').length === 0 ? undefined : listOption(values, 'dbc'),
    }),
    can: defined({
      interfaces: given('can')?.split(','),
      driver: given('can-driver'),
    }),
    mcp: defined({ isolation: given('isolation') }),
    record: defined({ frames: booleanOption(values, 'record-frames') ? 'on' : undefined }),
    act: defined({
      sink: given('act') ?? forced.actSink,
      hil_peer: given('act-peer'),
      hil_key_file: given('act-key-file'),
    }),
  };
  // Typed by what the schema accepts: loadConfig checks the merged result and names the key.
  return overrides as ConfigOverrides;
}

/** Which option sets which key, for messages about a value that the schema refuses. */
export const optionNames: OptionNames = {
  'tick.period_ms': '--period-ms',
  'core.preset': '--preset',
  'core.evaluator': '--evaluator',
  'driver.language': '--language',
  'driver.units': '--units',
  'speech.sink': '--speech',
  'vehicle.jurisdiction': '--jurisdiction',
  'vehicle.profile': '--profile',
  'vehicle.dbc': '--dbc',
  'can.interfaces': '--can',
  'can.driver': '--can-driver',
  'act.sink': '--act',
  'act.hil_peer': '--act-peer',
  'act.hil_key_file': '--act-key-file',
  'mcp.isolation': '--isolation',
};

/** What is no number stays as it was typed, so that the refusal can quote it. */
function numberOrText(text: string | undefined): number | string | undefined {
  return text === undefined || !/^\d+(\.\d+)?$/.test(text) ? text : Number(text);
}

function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** @throws DriveMcpError USAGE */
export function speedOf(values: OptionValues): number | 'max' {
  const text = stringOption(values, 'speed') ?? 'max';
  if (text === 'max') return 'max';
  const speed = Number(text);
  if (Number.isFinite(speed) && speed > 0 && speed <= 1e6) return speed;
  throw new DriveMcpError('USAGE', `--speed takes a factor above 0 or max, got '${text}'`, {
    hint: '1 is real time, 10 ten times as fast, max as fast as it goes',
  });
}
