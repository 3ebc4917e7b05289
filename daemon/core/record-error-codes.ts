/** Codes about the audit store, recordings and replay; a part of the table in errors.ts, which checks its shape. */
export const recordErrorCodes = {
  STORE_FULL: {
    class: 'operational',
    reaction: 'degrade',
    exit: 69,
    hint: 'free disk space; ACT stays refused until records are durable again',
  },
  STORE_CORRUPT: {
    class: 'operational',
    reaction: 'degrade',
    exit: 69,
    hint: 'the damaged database was set aside; drivemcp audit verify says from where it is damaged',
  },
  STORE_FAILED: {
    class: 'operational',
    reaction: 'degrade',
    exit: 69,
    hint: 'see the message; ACT stays refused until records are durable again',
  },
  STORE_VERSION: {
    class: 'operational',
    reaction: 'refuse',
    exit: 78,
    hint: 'the database was written by a newer drivemcp; use that version',
  },
  RUN_UNKNOWN: {
    class: 'input',
    reaction: 'refuse',
    exit: 69,
    hint: 'drivemcp audit show lists the runs of this state directory',
  },
  TICK_UNKNOWN: {
    class: 'input',
    reaction: 'refuse',
    exit: 69,
    hint: 'the message names the ticks that the recording holds',
  },
  CHAIN_BROKEN: {
    class: 'operational',
    reaction: 'refuse',
    exit: 1,
    hint: 'a record was changed, lost or added after it was written',
  },
  RECORDING_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the file is not a drivemcp recording or is damaged at its head',
  },
  RECORDING_VERSION: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the recording was written by a newer drivemcp; use that version',
  },
  RECORDING_FAILED: {
    class: 'operational',
    reaction: 'degrade',
    exit: 69,
    hint: 'free disk space or give a writable --state; decisions go on, but this run cannot be replayed',
  },
  REPLAY_DIFFERS: {
    class: 'operational',
    reaction: 'refuse',
    exit: 1,
    hint: 'drivemcp explain TICK shows the first tick that differs',
  },
} as const;
