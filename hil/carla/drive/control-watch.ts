/**
 * Whether somebody else writes the control of our ego. CARLA keeps the last control that was applied before a tick, so two
 * writers fight over every frame without an error (a Traffic Manager, a second client). The world's stream tells what the
 * frame was made with.
 */
import type { VehicleControl } from '../wire/vehicle-control.js';

/** float32 on the wire, and rounding in the server */
const slack = 0.01;
/** Frames in a row that tell of it: the answer to a teleport, or a late frame, is one. */
const framesToBelieve = 3;
/** Three seconds of 20 Hz without it: over. */
const framesToForget = 60;

export class ControlWatch {
  #applied: VehicleControl | null = null;
  #before: VehicleControl | null = null;
  #foreignInARow = 0;
  #oursInARow = 0;
  #isContested = false;
  /** frames made with a control that was not ours */
  foreignFrames = 0;

  get isContested(): boolean {
    return this.#isContested;
  }

  applied(control: VehicleControl): void {
    this.#before = this.#applied;
    this.#applied = control;
  }

  /** @returns true when it has just become so, or has just ended */
  observe(reported: VehicleControl): boolean {
    if (this.#applied === null) return false;
    // A world that runs by a clock may have been stepped before the last control came.
    const isOurs =
      isSame(reported, this.#applied) || (this.#before !== null && isSame(reported, this.#before));
    this.#foreignInARow = isOurs ? 0 : this.#foreignInARow + 1;
    this.#oursInARow = isOurs ? this.#oursInARow + 1 : 0;
    if (!isOurs) this.foreignFrames++;
    const was = this.#isContested;
    if (this.#foreignInARow >= framesToBelieve) this.#isContested = true;
    else if (this.#oursInARow >= framesToForget) this.#isContested = false;
    return was !== this.#isContested;
  }
}

function isSame(one: VehicleControl, other: VehicleControl): boolean {
  return (
    Math.abs(one.throttle - other.throttle) <= slack &&
    Math.abs(one.steer - other.steer) <= slack &&
    Math.abs(one.brake - other.brake) <= slack &&
    one.handBrake === other.handBrake &&
    one.reverse === other.reverse
  );
}
