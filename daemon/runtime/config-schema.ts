/**
 * Everything that can be configured, with its default. Every number carries its unit in the key; keys that
 * are not here are refused. `drivemcp config --effective` prints the result.
 */
import { z } from 'zod';
import { spokenLanguages } from '../core/explain/locales.js';
import { displayUnits, mutableClasses, verbosities } from '../core/preferences.js';
import { logLevels } from './log.js';
import { rates, tickPeriodsMs } from './rates.js';
import { voiceEngines } from './voice-engines.js';

/** ISO 3166-1 alpha-3 country, then sub-areas as the rulepacks name them: `DEU`, `GBR/WLS`. */
const jurisdiction = z
  .string()
  .regex(/^([A-Z]{3}(\/[A-Z0-9-]{1,10})*)?$/, 'a path in capitals such as DEU or GBR/WLS');

const tick = z.strictObject({
  period_ms: z
    .literal([...tickPeriodsMs])
    .default(rates.tick.periodMs)
    .describe('length of a tick: 20, 50 or 100'),
  realtime: z
    .boolean()
    .default(false)
    .describe('real-time priority for the tick thread alone (needs CAP_SYS_NICE); live interfaces only'),
});

const core = z.strictObject({
  preset: z
    .enum(['default', 'paper-literal'])
    .default('default')
    .describe('parameter set; with paper-literal ACT is unreachable (advisory only)'),
  evaluator: z
    .enum(['paper', 'rss'])
    .default('paper')
    .describe('paper: its rule alone; rss: full RSS is reported beside it'),
});

const driver = z.strictObject({
  language: z
    .string()
    .regex(
      new RegExp(`^(${spokenLanguages.join('|')})(-[A-Z]{2})?$`),
      `one of ${spokenLanguages.join(', ')}, also with a region such as de-DE`,
    )
    .default('en')
    .describe(`spoken to the driver: ${spokenLanguages.join(', ')}`),
  units: z
    .enum(displayUnits)
    .default('auto')
    .describe('unit spoken to the driver; auto = that of the jurisdiction'),
  verbosity: z
    .enum(verbosities)
    .default('normal')
    .describe('normal, or brief: announcements that ask nothing of the driver are left out'),
  muted: z
    .array(z.enum(mutableClasses, `one of ${mutableClasses.join(', ')}; hazards cannot be muted`))
    .max(mutableClasses.length)
    .default([])
    .describe(`classes of messages that are not said: ${mutableClasses.join(', ')}`),
});

const voice = z.string().regex(/^[A-Za-z0-9+_-]{0,40}$/, 'the name of a voice such as de+f3');

const speech = z.strictObject({
  sink: z
    .enum(['log', ...voiceEngines])
    .default('log')
    .describe('log: nothing is heard; espeak-ng, or speech-dispatcher through spd-say'),
  rate_wpm: z.number().int().min(80).max(450).default(175).describe('words a minute'),
  volume_ratio: z.number().min(0).max(2).default(1).describe("1 = the program's own loudness"),
  voice_en: voice.default('').describe("English voice by the program's name; empty = its own"),
  voice_de: voice.default('').describe('the same for German'),
  voice_fr: voice.default('').describe('the same for French'),
  reasons: z.boolean().default(false).describe('calm advice is followed by its reasons; urgent advice never'),
  queue_max_count: z
    .number()
    .int()
    .min(1)
    .max(16)
    .default(4)
    .describe('utterances that wait to be said; beyond, the oldest is left out'),
  start_budget_ms: z
    .number()
    .int()
    .min(10)
    .max(5000)
    .default(200)
    .describe('what begins later after its decision is counted as late'),
  stale_ms: z
    .number()
    .int()
    .min(100)
    .max(60_000)
    .default(5000)
    .describe('calm advice that has waited longer is left out'),
  wav_dir: z
    .string()
    .default('')
    .describe('espeak-ng only: one WAV file an utterance into this folder instead of sound'),
});

const vehicle = z.strictObject({
  jurisdiction: jurisdiction
    .default('')
    .describe('where the drive starts if no input says it; empty = unknown'),
  class: z
    .enum(['car', 'car_trailer', 'car_ev', 'motorhome', 'hgv', 'coach'])
    .default('car')
    .describe('which limits apply'),
  profile: z
    .string()
    .default('')
    .describe('folder or file of a vehicle profile, or the name of a shipped one'),
  dbc: z.array(z.string()).default([]).describe('DBC files; relative paths start at this file'),
});

const can = z.strictObject({
  interfaces: z
    .array(z.string().regex(/^[A-Za-z0-9_.-]{1,15}$/, 'a name of an interface such as can0'))
    .max(16)
    .default([])
    .describe('CAN interfaces to read when no source is named'),
  driver: z
    .enum(['native', 'socketcan'])
    .default('native')
    .describe('native: code that cannot send; socketcan: the npm package, for comparison'),
  require_listen_only: z
    .boolean()
    .default(false)
    .describe('refuse interfaces whose controller is not in listen-only mode; true on cars'),
});

const obd = z.strictObject({
  allow_requests: z
    .boolean()
    .default(false)
    .describe('obd poll may send requests to control units; the daemon itself never does'),
});

const act = z.strictObject({
  sink: z
    .enum(['none', 'log', 'carla', 'hil'])
    .default('none')
    .describe(
      'where an ACT goes: nowhere (never authorised), into the log (level info), to the ego of run --carla, or to the ego of ' +
        'a hil bridge on another machine; the last two need an authorisation of root; none drives a vehicle',
    ),
  authorisation_file: z
    .string()
    .default('')
    .describe('made by drivemcp act authorise; empty = a credential of the service manager or /etc/drivemcp'),
  hil_peer: z
    .string()
    .default('')
    .describe('with sink hil: HOST:PORT of the bridge, as its --act-listen says'),
  hil_key_file: z
    .string()
    .default('')
    .describe('with sink hil: the key that the bridge made (--act-key-file)'),
  monitor: z
    .enum(['off', 'optional', 'required'])
    .default('off')
    .describe(
      'another process that may veto or weaken each ACT over act-monitor.sock in the state directory, never strengthen it; ' +
        'optional: its silence is consent; required: no ACT without it',
    ),
});

const store = z.strictObject({
  max_size_mb: z.number().int().min(16).max(1_000_000).default(512).describe('audit database on disk'),
  max_age_days: z
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(0)
    .describe('runs that ended longer ago are removed; 0 = no limit (a wrong clock would remove everything)'),
  ack_deadline_ms: z
    .number()
    .int()
    .min(10)
    .max(60_000)
    .default(2000)
    .describe('longest wait for a durable record before the store counts as unhealthy'),
});

const record = z.strictObject({
  enabled: z.boolean().default(true).describe('keep the inputs of each run for replay and explain'),
  frames: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .describe(
      'raw frames too, for replay --frames; auto: of interfaces, which deliver only what the profile reads',
    ),
  keep_max_count: z.number().int().min(1).max(100_000).default(50).describe('older recordings are deleted'),
});

const tools = z.strictObject({
  concurrency_max_count: z.number().int().min(1).max(64).default(4).describe('expert calls at a time'),
  queue_max_count: z.number().int().min(1).max(4096).default(64).describe('calls waiting; beyond: refused'),
  answer_max_bytes: z
    .number()
    .int()
    .min(1024)
    .max(16_777_216)
    .default(262_144)
    .describe('larger ones are discarded'),
  breaker_failures_max_count: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(5)
    .describe('in a row, then the breaker opens'),
  breaker_open_ms: z
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(5000)
    .describe('then one probe is let through'),
});

/** Program and arguments of an MCP server on stdio; nothing of the environment reaches it. */
const expertCommand = z.array(z.string().min(1).max(4096)).max(32).default([]);
const toolsHash = z
  .string()
  .regex(/^([0-9a-f]{64})?$/, '64 digits 0-9a-f, or empty')
  .default('');

const mcp = z.strictObject({
  isolation: z
    .enum(['inline', 'process'])
    .default('inline')
    .describe('experts in this process, or each in a process of its own over stdio'),
  rules_command: expertCommand.describe('isolation process: another server in place of our own'),
  weather_command: expertCommand.describe('the same for the weather expert'),
  can_command: expertCommand.describe('the same for the vehicle expert'),
  rules_tools_sha256: toolsHash.describe('hash its list of tools must have; empty = that of its first use'),
  weather_tools_sha256: toolsHash.describe('the same for the weather expert'),
  can_tools_sha256: toolsHash.describe('the same for the vehicle expert'),
});

const feedback = z.strictObject({
  device: z
    .string()
    .default('')
    .describe('input device whose button gives feedback: /dev/input/eventN; empty = none'),
  device_key: z
    .string()
    .regex(/^(any|[0-9]{1,3})$/, 'any, or a code of linux/input-event-codes.h')
    .default('any')
    .describe('which of its keys counts'),
});

const signals = z.strictObject({
  socket: z
    .boolean()
    .default(true)
    .describe(
      'offer signals, status and health to programs of this user, over STATE/signals.sock; read-only',
    ),
});

const rules = z.strictObject({
  encoder: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9._-]{0,63}$/,
      'default, subword, none, or a model that drivemcp models list names',
    )
    .default('default')
    .describe(
      'dense half of the search in rules ask, eval, tune and the MCP server; limits do not depend on it',
    ),
});

const ask = z.strictObject({
  endpoint: z
    .string()
    .max(2048)
    .default('')
    .describe(
      'OpenAI-compatible address that says reasons in other words: http://127.0.0.1:8080/v1; empty = none',
    ),
  model: z.string().max(200).default('default').describe('its name at the endpoint'),
  api_key_file: z.string().default('').describe('file with the bearer token; empty = none is sent'),
  allow_remote: z.boolean().default(false).describe('an https:// endpoint on another machine may be asked'),
  timeout_ms: z.number().int().min(100).max(60_000).default(3000).describe('then the templates stand'),
  answer_max_bytes: z
    .number()
    .int()
    .min(1024)
    .max(1_048_576)
    .default(65_536)
    .describe('a longer answer is discarded'),
});

const log = z.strictObject({
  level: z.enum(logLevels).default('warn').describe('of the JSON lines on stderr'),
});

export const configSchema = z.strictObject({
  tick: tick.prefault({}),
  core: core.prefault({}),
  driver: driver.prefault({}),
  speech: speech.prefault({}),
  vehicle: vehicle.prefault({}),
  can: can.prefault({}),
  obd: obd.prefault({}),
  act: act.prefault({}),
  store: store.prefault({}),
  record: record.prefault({}),
  tools: tools.prefault({}),
  mcp: mcp.prefault({}),
  feedback: feedback.prefault({}),
  signals: signals.prefault({}),
  rules: rules.prefault({}),
  ask: ask.prefault({}),
  log: log.prefault({}),
});

export type Config = z.infer<typeof configSchema>;

/** Endings that a key of a number may have; a test walks the schema. */
export const unitSuffixes = [
  '_us',
  '_ms',
  '_s',
  '_m',
  '_mps',
  '_mps2',
  '_hz',
  '_mb',
  '_bytes',
  '_ratio',
  '_days',
  '_max_count',
  '_wpm',
] as const;
