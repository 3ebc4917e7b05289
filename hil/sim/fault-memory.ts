/** The trouble codes that the simulated car's control units hold for what is broken. */
import type { CarState } from './car-signals.js';
import { tyreWarningShare } from './car-signals.js';

export interface ControlUnit {
  /** 11-bit identifiers of questions to it and of its answers (ISO 15765-4: the answer is 8 above) */
  readonly requestId: number;
  readonly answerId: number;
  /** codes of SAE J2012 as the two bytes that stand for them (ISO 15031-6: C0020 is 40 20) */
  codes(car: Pick<CarState, 'faults' | 'model'>): readonly number[];
}

/** SAE J2012: pump motor of the ABS, cluster of inertial sensors, brake fluid level, tyre pressure low. */
const [absPump, sensorCluster, brakeFluid, tyrePressure] = [0x4020, 0x406a, 0x4049, 0x4077] as const;

export const controlUnits: readonly ControlUnit[] = [
  {
    requestId: 0x7e2,
    answerId: 0x7ea,
    codes: ({ faults }) => [
      ...(faults.absFault ? [absPump] : []),
      ...(faults.escFault ? [sensorCluster] : []),
      ...(faults.brakeFluidLow ? [brakeFluid] : []),
    ],
  },
  {
    requestId: 0x7e4,
    answerId: 0x7ec,
    codes: ({ faults, model }) =>
      Object.values(faults.tyreKpa).some((kpa) => kpa < tyreWarningShare * model.placardKpa)
        ? [tyrePressure]
        : [],
  },
];
