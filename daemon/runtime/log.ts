/**
 * The daemon's own log: JSON lines on stderr, so that stdout holds results alone. It is for operators; what
 * was decided and why is in the audit record.
 */
import { type Logger, pino } from 'pino';
import { DriveMcpError } from '../core/errors.js';
import { packageVersion } from './package-root.js';
import { printableJson } from './printable.js';
import { writeAll } from './write-all.js';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];
export type { Logger };

/**
 * Written synchronously: what was logged before a crash is there after it; a log that cannot be written stops
 * nothing. Anything that looks like a key or a token is blanked.
 */
export function createLog(level: LogLevel, destinationFd = 2): Logger {
  return pino(
    {
      level,
      base: { name: 'drivemcp', version: packageVersion, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: level === 'debug' ? pino.stdSerializers.err : errorWords },
      redact: ['*.token', '*.password', '*.key_pem', 'vin', '*.vin'],
    },
    {
      write: (line: string) => {
        writeAll(destinationFd, printableJson(line));
      },
    },
  );
}

/** What operators read of an error. The stack is for bugs, and for whoever sets the level to debug. */
function errorWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  const isForeseen = error instanceof DriveMcpError || typeof code === 'string';
  return isForeseen ? { code, message: error.message } : pino.stdSerializers.err(error);
}
