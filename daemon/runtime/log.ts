/**
 * The daemon's own log: JSON lines on stderr, so that stdout holds results alone. It is for operators; what
 * was decided and why is in the audit record.
 */
import { type Logger, pino } from 'pino';
import { packageVersion } from './package-root.js';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];
export type { Logger };

/** Lines of one code per second before the rest is only counted. */
const burstPerSecond = 100;

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

/** At most 100 lines a second for each code; what is held back is counted and told with the next line. */
export class LogThrottle {
  readonly #windows = new Map<string, { startUs: number; count: number; suppressed: number }>();

  /** Null: hold this line back. Otherwise the number of lines held back since the last one let through. */
  admit(code: string, nowUs: number): number | null {
    const window = this.#windows.get(code);
    if (!window || nowUs - window.startUs >= 1_000_000) {
      const suppressed = window?.suppressed ?? 0;
      this.#windows.set(code, { startUs: nowUs, count: 1, suppressed: 0 });
      return suppressed;
    }
    if (window.count >= burstPerSecond) {
      window.suppressed++;
      return null;
    }
    window.count++;
    return 0;
  }
}
