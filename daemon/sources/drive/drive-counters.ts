import type { JsonObject } from '../../core/tick.js';
import type { DriveSource } from '../../ports.js';
import { InterfaceDrive } from '../can/interface-drive.js';
import { ContainerDrive } from './container-drive.js';
import { LiveDrive } from './live-drive.js';
import { LogDrive } from './log-drive.js';

/** What became of the input: frames taken, parts that were damaged, corrections of its time. */
export function driveCounters(source: DriveSource): JsonObject {
  const damage = { diagnostics: source.diagnosticCount };
  if (source instanceof LogDrive) {
    const { stepsBack, outOfOrder, gapsShortened, gapsSqueezed } = source.time;
    return {
      frames: source.frameCount,
      ...damage,
      diagnostic_kinds: source.diagnosticKinds,
      clock_steps_back: stepsBack,
      frames_out_of_order: outOfOrder,
      gaps_shortened: gapsShortened,
      gaps_squeezed_to_one_tick: gapsSqueezed,
    };
  }
  if (source instanceof InterfaceDrive) return source.counters();
  if (source instanceof ContainerDrive) {
    const { gapsShortened, gapsSqueezed } = source.silence;
    return {
      frames: source.frameCount,
      ...damage,
      gaps_shortened: gapsShortened,
      gaps_squeezed_to_one_tick: gapsSqueezed,
    };
  }
  if (source instanceof LiveDrive) return { frames: source.frameCount, ...damage };
  return damage;
}
