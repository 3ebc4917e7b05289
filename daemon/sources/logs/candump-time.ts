import { asciiText, decimalNumber, secondsScale } from './byte-scan.js';

/**
 * Time stamps of candump: absolute (`-t a`), with a date (`-t A`), since the first frame (`-t z`), since the
 * frame before (`-t d`), or none. Text does not say which of the two relative kinds it is: both are written
 * with three digits of seconds. Differences go up and down from line to line, times since the start almost
 * never step back, which is what the beginning of the log is asked for.
 */
export type CandumpTimeKind = 'absolute' | 'sinceStart' | 'sinceFrameBefore' | 'none';

/** Stamps above this are Unix times (1973 and later); a log since its start does not run for three years. */
const firstUnixS = 1e8;

/** Share of steps back from which stamps are differences. */
const stepsBackShareMin = 0.2;

/** Decides from the first lines of a log. */
export function candumpTimeKind(lines: readonly string[]): CandumpTimeKind {
  const stamps: number[] = [];
  for (const line of lines) {
    const stamp = /^\s*\((\d+\.\d+)\)/.exec(line)?.[1];
    if (stamp !== undefined) stamps.push(Number(stamp));
    else if (/^\s*\(\d{4}-\d\d-\d\d /.test(line)) stamps.push(Number.POSITIVE_INFINITY);
  }
  if (stamps.length === 0) return 'none';
  // By majority: a damaged line must not decide.
  if (stamps.filter((stamp) => stamp >= firstUnixS).length * 2 >= stamps.length) return 'absolute';
  let stepsBack = 0;
  for (let i = 1; i < stamps.length; i++) if (stamps[i]! < stamps[i - 1]!) stepsBack++;
  return stepsBack > (stamps.length - 1) * stepsBackShareMin ? 'sinceFrameBefore' : 'sinceStart';
}

/** Whether the text between the brackets begins with a date: `YYYY-…`. */
export function isDated(bytes: Uint8Array, start: number): boolean {
  return bytes[start + 4] === 0x2d;
}

/** Seconds of the text between the brackets, NaN where it is no time stamp. */
export function candumpStamp(bytes: Uint8Array, start: number, end: number): number {
  if (!isDated(bytes, start)) return decimalNumber(bytes, start, end, secondsScale);
  return datedStamp(asciiText(bytes, start, Math.min(end, start + 40)));
}

/** `YYYY-MM-DD hh:mm:ss.ffffff`; the text has no time zone and is taken as UTC. */
function datedStamp(text: string): number {
  const parts = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{1,9})$/.exec(text);
  if (parts === null) return Number.NaN;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
    return Number.NaN;
  const wholeS = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  return Number(`${wholeS}.${parts[7]}`);
}
