import type { Faults } from './plant.js';
import type { FaultEvent } from './scenario.js';

/** What has broken by `tS` is broken, a frame only until its time is over; a leaking tyre has lost a step's air more. Called once a plant step. */
export function applyFault(faults: Faults, event: FaultEvent, tS: number, dtS: number): void {
  if (tS < event.atS) return;
  switch (event.kind) {
    case 'abs':
      faults.absFault = true;
      return;
    case 'esc':
      faults.escFault = true;
      return;
    case 'frame':
      if (tS < event.untilS) faults.frames.set(event.message, event.fault);
      else if (faults.frames.get(event.message) === event.fault) faults.frames.delete(event.message);
      return;
    case 'brake_fluid_low':
      faults.brakeFluidLow = true;
      return;
    case 'tyre_leak':
      faults.tyreKpa[event.wheel] = Math.max(
        Math.min(event.downToKpa, faults.tyreKpa[event.wheel]),
        faults.tyreKpa[event.wheel] - event.kpaPerS * dtS,
      );
  }
}
