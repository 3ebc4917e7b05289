import { type FrameFault, frameFaults } from '../sim/plant.js';
import type { FaultEvent } from '../sim/scenario.js';
import type { FaultData } from './scenario-schema.js';

/** A fault as a scenario file has it, as what the simulator applies. */
export function toFault(fault: FaultData): FaultEvent {
  switch (fault.kind) {
    case 'tyre_leak': {
      const { kind, at_s, wheel, kpa_per_s, down_to_kpa } = fault;
      return { kind, atS: at_s, wheel, kpaPerS: kpa_per_s, downToKpa: down_to_kpa };
    }
    case 'frame_lost':
    case 'frame_frozen':
    case 'frame_corrupt': {
      const { message, at_s, until_s } = fault;
      const kind = frameFaults.find((one) => fault.kind === `frame_${one}`) as FrameFault;
      return { kind: 'frame', fault: kind, message, atS: at_s, untilS: until_s ?? Number.POSITIVE_INFINITY };
    }
    default:
      return { kind: fault.kind, atS: fault.at_s };
  }
}

/** The way back. */
export function toFaultData(fault: FaultEvent): FaultData {
  switch (fault.kind) {
    case 'tyre_leak': {
      const { kind, atS, wheel, kpaPerS, downToKpa } = fault;
      return { kind, at_s: atS, wheel, kpa_per_s: kpaPerS, down_to_kpa: downToKpa };
    }
    case 'frame': {
      const { fault: what, message, atS, untilS } = fault;
      const until = Number.isFinite(untilS) ? { until_s: untilS } : {};
      return { kind: `frame_${what}`, message, at_s: atS, ...until } as FaultData;
    }
    default:
      return { kind: fault.kind, at_s: fault.atS };
  }
}
