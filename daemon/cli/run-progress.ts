import type { TickOutputs } from '../core/tick.js';
import type { Clock } from '../ports.js';
import { rates } from '../runtime/rates.js';
import type { Terminal } from './terminal.js';

/** A progress line for a run: drive time, mode, speed, redrawn a few times a second; nothing in a pipe. */
export function progressOf(terminal: Terminal, clock: Clock): (outputs: TickOutputs) => void {
  if (!terminal.isInteractive) return () => {};
  const beganUs = clock.monoUs();
  let shownUs = beganUs;
  return (outputs) => {
    const nowUs = clock.monoUs();
    if (nowUs - shownUs < rates.progress.periodMs * 1000) return;
    shownUs = nowUs;
    const factor = outputs.tUs / (nowUs - beganUs);
    terminal.progress(
      `${(outputs.tUs / 1e6).toFixed(1)} s of drive, ${outputs.mode}, ${factor.toFixed(factor < 10 ? 1 : 0)} × real time`,
    );
  };
}
