/**
 * The daemon's own log: JSON lines on stderr, so that stdout holds results alone. It is for operators; what
 * was decided and why is in the audit record.
 */
import { type Logger, pino } from 'pino';
import { packageVersion } from './package-root.js';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];
export type { Logger };

/**
 * Written synchronously: what was logged before a crash is there after it. Anything that looks like a key or
 * a token is blanked.
 */
export function createLog(level: LogLevel, destinationFd = 2): Logger {
  return pino(
    {
      level,
      base: { name: 'drivemcp', version: packageVersion, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['*.token', '*.password', '*.key_pem', 'vin', '*.vin'],
    },
    pino.destination({ fd: destinationFd, sync: true }),
  );
}
