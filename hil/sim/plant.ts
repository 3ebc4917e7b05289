/**
 * The plant: how the simulated car really moves.
 *
 * Longitudinal point mass with lagging pedals and a kinematic single-track model for yaw:
 *   a = throttle·a_drive(v) − brake·a_brake − c_rr·g − c_air·v²,   |(a_x, a_y)| ≤ μ·g,   a_x ≥ −μ·g·η
 * with braking efficiency η from the brake system's health. No suspension, no tyre slip curve: enough for
 * stopping distance, time to collision and a braking envelope that a fault degrades.
 */

/** Standard value of the decision core too, so that plant and estimate differ in μ only. */
export const gravityMps2 = 9.81;

export interface VehicleModel {
  readonly trackM: number;
  readonly wheelbaseM: number;
  readonly steeringRatio: number;
  /** full pedal, below the power limit */
  readonly peakDriveMps2: number;
  /** engine power over mass, W/kg = m²/s³ */
  readonly specificPowerM2ps3: number;
  /** full pedal, on a road that can take it */
  readonly peakBrakeMps2: number;
  /** drag with the engine engaged and no throttle, without air resistance */
  readonly coastMps2: number;
  /** air resistance over mass, 1/m */
  readonly airDragPerM: number;
  readonly throttleLagS: number;
  readonly brakeLagS: number;
  readonly placardKpa: number;
}

/** A middle-class estate car: 1500 kg, 110 kW, c_w·A = 0.65 m². */
export const passengerCar: VehicleModel = {
  trackM: 1.56,
  wheelbaseM: 2.9,
  steeringRatio: 15,
  peakDriveMps2: 3.6,
  specificPowerM2ps3: 73,
  peakBrakeMps2: 11,
  coastMps2: 0.25,
  airDragPerM: 0.00026,
  throttleLagS: 0.3,
  brakeLagS: 0.15,
  placardKpa: 240,
};

/** Our assumption: what of the grip a driver can use in a bend without stability control. */
const withoutEscShare = 0.9;

export const wheels = ['FL', 'FR', 'RL', 'RR'] as const;
export type Wheel = (typeof wheels)[number];

/** A message that is not sent; that repeats its last payload; whose payload has a bit wrong. */
export const frameFaults = ['lost', 'frozen', 'corrupt'] as const;
export type FrameFault = (typeof frameFaults)[number];

/** What is broken; the physics and the CAN frames follow from the same object. */
export interface Faults {
  absFault: boolean;
  escFault: boolean;
  brakeFluidLow: boolean;
  /** kPa above the atmosphere */
  tyreKpa: Record<Wheel, number>;
  /** by the message's name */
  readonly frames: Map<string, FrameFault>;
}

export function soundFaults({ placardKpa }: VehicleModel): Faults {
  const tyreKpa = { FL: placardKpa, FR: placardKpa, RL: placardKpa, RR: placardKpa };
  return { absFault: false, escFault: false, brakeFluidLow: false, tyreKpa, frames: new Map() };
}

/** Pedals 0…1; curvature 1/m of the path that the driver steers, positive to the left. */
export interface Controls {
  readonly throttle: number;
  readonly brake: number;
  readonly curvaturePerM: number;
}

export interface PlantState {
  /** front bumper along the route */
  sM: number;
  vMps: number;
  axMps2: number;
  ayMps2: number;
  yawRateRadps: number;
  curvaturePerM: number;
  /** what reaches engine and brakes after the lags, 0…1 */
  throttle: number;
  brake: number;
  /** pedals as pressed, 0…1 */
  throttlePedal: number;
  brakePedal: number;
  /** true while the brakes ask more than road and system give */
  brakesSaturated: boolean;
  /** the ABS is cycling: saturated brakes and a working ABS */
  absActive: boolean;
  /** traction control holds back an engine that asks more than the road takes */
  tcsActive: boolean;
  /** stability control works against understeer: the path asks more than the road gives */
  escActive: boolean;
  wheelMps: Record<Wheel, number>;
}

export function restingPlant(sM: number, vMps: number): PlantState {
  return {
    sM,
    vMps,
    axMps2: 0,
    ayMps2: 0,
    yawRateRadps: 0,
    curvaturePerM: 0,
    throttle: 0,
    brake: 0,
    throttlePedal: 0,
    brakePedal: 0,
    brakesSaturated: false,
    absActive: false,
    tcsActive: false,
    escActive: false,
    wheelMps: { FL: vMps, FR: vMps, RL: vMps, RR: vMps },
  };
}

/** Strongest acceleration the engine gives at a speed, m/s². */
export function driveLimitMps2(model: VehicleModel, vMps: number): number {
  return Math.min(model.peakDriveMps2, model.specificPowerM2ps3 / Math.max(1, vMps));
}

/** Deceleration without any pedal, m/s². */
export function dragMps2(model: VehicleModel, vMps: number): number {
  return vMps > 0 ? model.coastMps2 + model.airDragPerM * vMps * vMps : 0;
}

/** η: 0.95 with a working ABS, 0.75 without; ×0.5 with little brake fluid; ×0.9 for the share of soft tyres. */
export function brakingEfficiency(model: VehicleModel, faults: Faults): number {
  let soft = 0;
  for (const wheel of wheels) if (faults.tyreKpa[wheel] < 0.8 * model.placardKpa) soft++;
  return (faults.absFault ? 0.75 : 0.95) * (faults.brakeFluidLow ? 0.5 : 1) * (1 - 0.1 * (soft / 4));
}

/** Advances `state` by `dtS` on a road with friction `mu`. */
export function stepPlant(
  state: PlantState,
  model: VehicleModel,
  controls: Controls,
  faults: Faults,
  mu: number,
  dtS: number,
): void {
  state.throttlePedal = clamp01(controls.throttle);
  state.brakePedal = clamp01(controls.brake);
  state.throttle += (state.throttlePedal - state.throttle) * Math.min(1, dtS / model.throttleLagS);
  state.brake += (state.brakePedal - state.brake) * Math.min(1, dtS / model.brakeLagS);

  const gripMps2 = mu * gravityMps2;
  const brakeGripMps2 = gripMps2 * brakingEfficiency(model, faults);
  const brakingMps2 = state.brake * model.peakBrakeMps2;
  state.brakesSaturated = brakingMps2 > brakeGripMps2 && state.vMps > 0.5;
  state.absActive = state.brakesSaturated && !faults.absFault;

  const askedDriveMps2 = state.throttle * driveLimitMps2(model, state.vMps);
  state.tcsActive = askedDriveMps2 > gripMps2;
  const driveMps2 = Math.min(askedDriveMps2, gripMps2);
  const wantedMps2 = driveMps2 - Math.min(brakingMps2, brakeGripMps2) - dragMps2(model, state.vMps);
  // Drag acts through the tyres as well, so the limit holds for the sum.
  state.axMps2 = Math.max(wantedMps2, -brakeGripMps2);
  // Static friction: a car that is braked to a stop stays there.
  if (state.vMps + state.axMps2 * dtS < 0) state.axMps2 = -state.vMps / dtS;

  const vNext = state.vMps + state.axMps2 * dtS;
  state.sM += (state.vMps + vNext) * 0.5 * dtS;
  state.vMps = vNext < 1e-9 ? 0 : vNext;

  // Friction ellipse: what braking leaves is there for cornering; beyond it the car understeers.
  const lateralLeftMps2 =
    Math.sqrt(Math.max(0, gripMps2 * gripMps2 - state.axMps2 * state.axMps2)) *
    (faults.escFault ? withoutEscShare : 1);
  const askedMps2 = state.vMps * state.vMps * controls.curvaturePerM;
  state.escActive = Math.abs(askedMps2) > lateralLeftMps2 && state.vMps > 0.5 && !faults.escFault;
  state.ayMps2 = Math.max(-lateralLeftMps2, Math.min(lateralLeftMps2, askedMps2));
  state.curvaturePerM = controls.curvaturePerM;
  state.yawRateRadps = state.vMps > 0.1 ? state.ayMps2 / state.vMps : 0;
  turnWheels(state, model, faults);
}

/** Wheel speeds: yaw makes the outer side faster; braking slips the wheels by about 1 % per 0.2 g. */
function turnWheels(state: PlantState, model: VehicleModel, faults: Faults): void {
  const side = state.yawRateRadps * model.trackM * 0.5;
  const brakingMps2 = Math.max(0, -state.axMps2);
  let slip = Math.min(0.03, (brakingMps2 / gravityMps2) * 0.05);
  // A cycling ABS holds about 10 % slip; without it the front wheels, which carry most braking, go deeper.
  if (state.absActive) slip = 0.1;
  const frontSlip = state.brakesSaturated && faults.absFault ? 0.25 : slip;
  state.wheelMps.FL = Math.max(0, (state.vMps - side) * (1 - frontSlip));
  state.wheelMps.FR = Math.max(0, (state.vMps + side) * (1 - frontSlip));
  state.wheelMps.RL = Math.max(0, (state.vMps - side) * (1 - slip));
  state.wheelMps.RR = Math.max(0, (state.vMps + side) * (1 - slip));
}

function clamp01(x: number): number {
  return Math.min(1, Math.max(0, x));
}
