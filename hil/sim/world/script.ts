/** A vehicle's script: steps in their order, each when its moment has come. */
import type { VehicleActor } from './actor.js';
import type { TrafficState } from './traffic.js';
import type { ScriptEvent } from './world-scenario.js';

export interface ScriptRun {
  readonly events: readonly ScriptEvent[];
  done: number;
}

export function runScript(
  run: ScriptRun,
  actor: VehicleActor,
  state: TrafficState,
  ego: VehicleActor | null,
  tS: number,
): void {
  for (let event = run.events[run.done]; event !== undefined; event = run.events[run.done]) {
    if (tS < event.atS || !isNear(event.whenEgoWithinM, actor, ego)) return;
    run.done++;
    const { step } = event;
    if (step.kind === 'speed') state.scripted = { toMps: step.toMps, rateMps2: step.rateMps2 };
    else if (step.kind === 'follow') state.scripted = null;
    else if (actor.track !== null)
      state.aside = { fromM: actor.track.asideM, byM: step.byM, startS: tS, durationS: step.durationS };
  }
}

function isNear(withinM: number | null, actor: VehicleActor, ego: VehicleActor | null): boolean {
  if (withinM === null) return true;
  return ego !== null && Math.hypot(ego.pose.x - actor.pose.x, ego.pose.y - actor.pose.y) <= withinM;
}
