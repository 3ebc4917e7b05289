/**
 * What a vehicle's own controllers know of it beside its motion. No part of CARLA's protocol: a method of this project's
 * simulator, which a client asks for where it has found that it talks to it.
 */
import { bool, float, list, str, struct, u8, type ValueOf } from './codec.js';

const wheelValues = struct('WheelValues', { FL: float, FR: float, RL: float, RR: float });

/** `fault` counts through lost, frozen, corrupt. */
const frameFault = struct('FrameFault', { message: str, fault: u8 });

/** As `BodySignals`. */
const bodySignals = struct('BodySignals', {
  wiperMode: u8,
  lowBeam: bool,
  highBeam: bool,
  rearFog: bool,
  turnLeft: bool,
  turnRight: bool,
  hazard: bool,
});

export const vehicleCondition = struct('VehicleCondition', {
  /** driven by pedals: what its brakes, engine and wheels do is known; traffic moves along its lanes without */
  isDriven: bool,
  absFault: bool,
  escFault: bool,
  brakeFluidLow: bool,
  tyreKpa: wheelValues,
  absActive: bool,
  escActive: bool,
  tcsActive: bool,
  /** 0…1, behind the lags of engine and brakes */
  throttle: float,
  brake: float,
  wheelMps: wheelValues,
  ambientC: float,
  frameFaults: list(frameFault),
  /** of a vehicle with a cockpit: wipers and lamps as their switches are; else empty */
  body: list(bodySignals),
});
export type VehicleCondition = ValueOf<typeof vehicleCondition>;
