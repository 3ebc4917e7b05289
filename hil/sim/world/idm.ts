/** The Intelligent Driver Model (Treiber, Hennecke, Helbing 2000). */
export interface IdmModel {
  readonly accelMps2: number;
  readonly comfortBrakeMps2: number;
  readonly timeGapS: number;
  readonly standstillGapM: number;
}

export const ordinaryDriver: IdmModel = {
  accelMps2: 1.5,
  comfortBrakeMps2: 2,
  timeGapS: 1.5,
  standstillGapM: 2,
};

/**
 * Acceleration wanted at speed `vMps` with the desired speed `v0Mps` and a gap to something that is approached at
 * `closingMps`; `gapM` Infinity: nothing ahead. Never more than `accelMps2`; how hard it brakes has no bound here.
 */
export function idmMps2(
  model: IdmModel,
  vMps: number,
  v0Mps: number,
  gapM: number,
  closingMps: number,
): number {
  const ratio = v0Mps <= 0.01 ? 10 : vMps / v0Mps;
  const free =
    ratio <= 1 ? 1 - ratio ** 4 : -Math.min(1.5, ratio - 1) * (model.comfortBrakeMps2 / model.accelMps2);
  if (gapM === Infinity) return model.accelMps2 * free;
  const rootAb = Math.sqrt(model.accelMps2 * model.comfortBrakeMps2);
  const wantedM =
    model.standstillGapM + Math.max(0, vMps * model.timeGapS + (vMps * closingMps) / (2 * rootAb));
  const q = wantedM / Math.max(0.1, gapM);
  return model.accelMps2 * Math.min(free, 1 - q * q);
}
