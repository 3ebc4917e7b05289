/**
 * The one error class of the project and the table of its codes.
 *
 * Messages are for people, codes are for programs: a code never changes its meaning. The table says for each
 * code what kind of error it is, what the daemon does about it, how a command exits, and what the operator
 * can do. A code that is not in the table does not type-check.
 */
import { lawErrorCodes } from './law-error-codes.js';
import { recordErrorCodes } from './record-error-codes.js';
import { simulatorErrorCodes } from './simulator-error-codes.js';

/** Who is at fault: the surroundings, the data handed in, or this program. */
export type ErrorClass = 'operational' | 'input' | 'bug';

/** What a running daemon does about it. */
export type ErrorReaction = 'retry' | 'degrade' | 'refuse' | 'crash';

/** Exit codes of every command: 0 done, 1 check failed, 2 usage, 69 unavailable, 78 unusable input. */
export type ExitCode = 0 | 1 | 2 | 69 | 78;

export interface ErrorCodeEntry {
  readonly class: ErrorClass;
  readonly reaction: ErrorReaction;
  readonly exit: ExitCode;
  readonly hint: string;
}

export const errorCodes = {
  USAGE: {
    class: 'input',
    reaction: 'refuse',
    exit: 2,
    hint: 'run the command with --help to see what it takes',
  },
  FILE_MISSING: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'check the path and that this user may read it',
  },
  FILE_UNREADABLE: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'check the permissions and the disk',
  },
  OUTPUT_FAILED: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'free space where the output goes; what was printed is not all',
  },
  STOPPED_EARLY: {
    class: 'operational',
    reaction: 'refuse',
    exit: 1,
    hint: 'stopped on request before the end; what was printed is not all',
  },
  FILE_UNWRITABLE: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'name a file in a folder that exists and that this user may write to',
  },
  DAEMON_ABSENT: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'start one with drivemcp run, or name its state directory with --state',
  },
  INTERRUPTED: { class: 'operational', reaction: 'refuse', exit: 0, hint: 'stopped on request' },
  CONFIG_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'drivemcp config --effective prints every key with its default',
  },
  LOG_FORMAT_UNKNOWN: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'known: candump, PCAN TRC, Vector ASC and BLF, GVRET CSV, BUSMASTER, ASAM MDF4, plain or gzip',
  },
  LOG_NO_FRAMES: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the file holds no CAN frame; check that the right file was given',
  },
  LOG_DAMAGED: {
    class: 'input',
    reaction: 'degrade',
    exit: 78,
    hint: 'the damaged part was left out and counted',
  },
  DBC_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'drivemcp dbc check FILE lists every finding with line and column',
  },
  SIGNAL_UNENCODABLE: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the message names the signal and the values that its bits can hold',
  },
  DBC_NONE: { class: 'input', reaction: 'refuse', exit: 2, hint: 'name a DBC file with --dbc' },
  PROFILE_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'drivemcp profile check FILE says what is wrong where',
  },
  PROFILE_DBC_MISMATCH: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the profile names another DBC (sha256); give that file with --dbc',
  },
  INPUTS_MISSING: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'a decision needs at least the vehicle speed; drivemcp profile draft proposes a mapping',
  },
  ...lawErrorCodes,
  VECTORS_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the file must hold {"vectors":[…]} of a known kind',
  },
  PROVISION_UNKNOWN: {
    class: 'input',
    reaction: 'refuse',
    exit: 1,
    hint: 'a provision is named as answers name it, e.g. de:stvo:p3',
  },
  CASES_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'a case is {"id", "question", "answer", "jurisdiction_hint"}, one object a line',
  },
  CAN_UNAVAILABLE: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'ip link show lists the interfaces; drivemcp doctor looks at CAN in this kernel',
  },
  CAN_NOT_LISTEN_ONLY: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'set the interface to listen-only, or leave [can] require_listen_only out',
  },
  STATE_LOCKED: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'stop that process, or give this one another --state',
  },
  STATE_UNWRITABLE: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'give a writable directory with --state',
  },
  ...recordErrorCodes,
  ...simulatorErrorCodes,
  TOOL_ARGS_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the message names the argument and what it may be',
  },
  TOOL_FAILED: {
    class: 'operational',
    reaction: 'degrade',
    exit: 1,
    hint: 'advice goes on without this expert',
  },
  TOOL_FILE_OUTSIDE: {
    class: 'input',
    reaction: 'refuse',
    exit: 69,
    hint: 'files are read from the configured folders only: give a path inside one of them',
  },
  TOOL_FILE_TOO_LARGE: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'give a smaller file; the message names the bound',
  },
  TOOL_CURSOR_STALE: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'ask again without a cursor: the file or the question has changed since that page',
  },
  SIGNALS_REFUSED: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'the message says what the signal service of the daemon refused',
  },
  REPHRASE_FAILED: {
    class: 'operational',
    reaction: 'degrade',
    exit: 69,
    hint: 'the text of the templates stands; look at ask.endpoint and whether something answers there',
  },
  WEATHER_SOURCE_FAILED: {
    class: 'operational',
    reaction: 'degrade',
    exit: 69,
    hint: 'grip is estimated from what the car shows alone',
  },
  TOOL_TIMEOUT: {
    class: 'operational',
    reaction: 'degrade',
    exit: 69,
    hint: 'ask for less at a time (limit, k, from_tick), or again when the machine is less busy',
  },
  SERVER_BUSY: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'wait for answers before asking more',
  },
  ADDRESS_UNAVAILABLE: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'name another address or port; ss -ltn lists what listens here',
  },
  TOKEN_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'name a file that does not exist: a token is made there; or chmod 600 it and give it 43 random characters or more',
  },
  MODEL_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'drivemcp models check NAME looks again; the files must be the ones that the manifest names by digest',
  },
  MODEL_UNKNOWN: {
    class: 'input',
    reaction: 'refuse',
    exit: 69,
    hint: 'drivemcp models list names the models of this machine',
  },
  ENCODER_UNAVAILABLE: {
    class: 'operational',
    reaction: 'degrade',
    exit: 69,
    hint: 'retrieval goes on with the sub-word encoder; drivemcp models check NAME says what is wrong',
  },
  INVARIANT: {
    class: 'bug',
    reaction: 'crash',
    exit: 1,
    hint: 'please report this with the recording of the run',
  },
  ACT_NOT_AUTHORISED: {
    class: 'input',
    reaction: 'refuse',
    exit: 1,
    hint: 'drivemcp act status says why; ACT stays off meanwhile',
  },
  ACT_MONITOR_FAILED: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'see what stands in the way in the state directory, or set act.monitor = "off"',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof errorCodes;

/** Where in a file the cause is; lines and columns count from 1. */
export interface ErrorLocation {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly key?: string;
}

export interface DriveMcpErrorOptions {
  readonly location?: ErrorLocation;
  readonly cause?: unknown;
  /** Facts for programs; printed with --json. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Replaces the table's hint where a better one is known at the place of the error. */
  readonly hint?: string;
}

export class DriveMcpError extends Error {
  readonly code: ErrorCode;
  readonly location: ErrorLocation;
  readonly context: Readonly<Record<string, unknown>>;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, options: DriveMcpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DriveMcpError';
    this.code = code;
    this.location = options.location ?? {};
    this.context = options.context ?? {};
    this.hint = options.hint ?? errorCodes[code].hint;
  }

  get exitCode(): ExitCode {
    return errorCodes[this.code].exit;
  }
}

/** `file:line:column` or `file: key`, whichever parts are known; empty where nothing is. */
export function formatLocation(location: ErrorLocation): string {
  let text = location.file ?? '';
  if (location.line !== undefined) text += `${text === '' ? 'line ' : ':'}${location.line}`;
  if (location.line !== undefined && location.column !== undefined) text += `:${location.column}`;
  if (location.key !== undefined) text += `${text === '' ? '' : ': '}${location.key}`;
  return text;
}
