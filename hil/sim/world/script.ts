/** A vehicle's script: steps in their order, or each for itself, when its moment has come. */
import type { VehicleActor } from './actor.js';
import type { TrafficState } from './traffic.js';
import { isTriggered, type TriggerView } from './trigger.js';
import type { ScriptEvent, VehicleSpawn } from './world-scenario.js';

export interface ScriptRun {
  /** those that have not begun */
  readonly waiting: ScriptEvent[];
  readonly isInOrder: boolean;
}

export function scriptRun({ script, isScriptInOrder }: VehicleSpawn): ScriptRun | null {
  return script.length === 0 ? null : { waiting: [...script], isInOrder: isScriptInOrder ?? true };
}

export function runScript(run: ScriptRun, actor: VehicleActor, state: TrafficState, view: TriggerView): void {
  for (let i = 0; i < run.waiting.length; ) {
    const event = run.waiting[i] as ScriptEvent;
    if (!hasCome(event, actor, view)) {
      if (run.isInOrder) return;
      i++;
      continue;
    }
    run.waiting.splice(i, 1);
    const { step } = event;
    if (step.kind === 'speed') state.scripted = { toMps: step.toMps, rateMps2: step.rateMps2 };
    else if (step.kind === 'follow') state.scripted = null;
    else if (actor.track !== null)
      state.aside = {
        fromM: actor.track.asideM,
        byM: step.byM,
        startS: view.tS,
        durationS: step.durationS,
      };
  }
}

function hasCome(
  { atS, whenEgoWithinM, when }: ScriptEvent,
  actor: VehicleActor,
  view: TriggerView,
): boolean {
  if (view.tS < atS) return false;
  if (whenEgoWithinM !== null) {
    const ego = view.entity('ego', actor);
    if (ego === null) return false;
    if (Math.hypot(ego.pose.x - actor.pose.x, ego.pose.y - actor.pose.y) > whenEgoWithinM) return false;
  }
  return when === undefined || isTriggered(when, actor, view);
}
