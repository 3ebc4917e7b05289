/** The time axis that all panels share: drive time to pixels, its ticks, and times as text. */
import { roundStep } from './scales.js';

export interface TimeAxis {
  readonly fromUs: number;
  readonly toUs: number;
  readonly left: number;
  readonly right: number;
  /** drive time of one pixel */
  readonly pixelUs: number;
  x(tUs: number): number;
}

/** @param toUs not before `fromUs`; a drive of one tick is drawn as a second */
export function timeAxis(fromUs: number, toUs: number, left: number, right: number): TimeAxis {
  const end = toUs > fromUs ? toUs : fromUs + 1e6;
  const pixelUs = (end - fromUs) / (right - left);
  return {
    fromUs,
    toUs: end,
    left,
    right,
    pixelUs,
    x: (tUs) => Math.max(left, Math.min(right, left + (tUs - fromUs) / pixelUs)),
  };
}

/** Steps that clocks have, in seconds; beyond a day whole days. */
const clockStepsS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
];
/** Up to here people count in seconds, as the lines of a run do. */
const secondsMaxS = 900;

/** Times to name, at most `most` and one, each with its text. */
export function timeTicks(axis: TimeAxis, most: number): { readonly tUs: number; readonly text: string }[] {
  const { fromUs, toUs } = axis;
  const leastS = (toUs - fromUs) / 1e6 / most;
  const stepS =
    toUs / 1e6 <= secondsMaxS
      ? roundStep(leastS)
      : (clockStepsS.find((candidate) => candidate >= leastS) ?? 86_400 * Math.ceil(leastS / 86_400));
  const decimals = stepS < 1 ? Math.ceil(-Math.log10(stepS)) : 0;
  const stepUs = stepS * 1e6;
  const ticks: { tUs: number; text: string }[] = [];
  const first = Math.ceil(fromUs / stepUs);
  for (let i = 0; i <= most && (first + i) * stepUs <= toUs; i++) {
    const tUs = (first + i) * stepUs;
    ticks.push({ tUs, text: timeText(tUs, axis, decimals) });
  }
  return ticks;
}

/**
 * A time of the drive as text: seconds on a short drive, else hours, minutes and seconds.
 * @param decimals of the seconds
 */
export function timeText(tUs: number, axis: Pick<TimeAxis, 'toUs'>, decimals: number): string {
  const tS = tUs / 1e6;
  if (axis.toUs / 1e6 <= secondsMaxS) return `${Number(tS.toFixed(6)).toFixed(decimals)} s`;
  const scale = 10 ** decimals;
  const whole = Math.round(tS * scale);
  const seconds = (whole % (60 * scale)) / scale;
  const minutes = Math.floor(whole / (60 * scale)) % 60;
  const hours = Math.floor(whole / (3600 * scale));
  const padded = seconds.toFixed(decimals).padStart(decimals === 0 ? 2 : decimals + 3, '0');
  return `${hours}:${String(minutes).padStart(2, '0')}:${padded}`;
}
