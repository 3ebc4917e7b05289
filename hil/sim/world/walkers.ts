/** People on foot: stand until something triggers them, then walk along a line and stand again; or as a client says. */
import type { VehicleActor, WalkerActor } from './actor.js';
import { isTriggered, type Trigger, type TriggerView } from './trigger.js';

export interface WalkerScript {
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
  readonly speedMps: number;
  /** starts when the ego is this near, in metres or in seconds at its speed; null: by time alone */
  readonly whenEgoWithinM: number | null;
  readonly whenEgoWithinS: number | null;
  readonly notBeforeS: number;
  /** and this holds too, where it is there */
  readonly when?: Trigger | undefined;
  /** left out: pedestrian */
  readonly roleName?: string | undefined;
}

export interface WalkerState {
  readonly script: WalkerScript | null;
  isWalking: boolean;
  /** speed and direction by a client */
  ordered: { readonly x: number; readonly y: number; readonly speedMps: number } | null;
}

export function stepWalker(
  actor: WalkerActor,
  state: WalkerState,
  ego: VehicleActor | null,
  view: TriggerView,
  dtS: number,
): void {
  const { script, ordered } = state;
  if (script !== null && !state.isWalking && ordered === null)
    state.isWalking = begins(script, actor, ego, view);
  let x = ordered?.x ?? 0;
  let y = ordered?.y ?? 0;
  let speedMps = ordered?.speedMps ?? 0;
  if (script !== null && ordered === null && state.isWalking) {
    const leftX = script.to.x - actor.pose.x;
    const leftY = script.to.y - actor.pose.y;
    const leftM = Math.hypot(leftX, leftY);
    speedMps = leftM < 0.05 ? 0 : Math.min(script.speedMps, leftM / dtS);
    if (leftM > 0) [x, y] = [leftX / leftM, leftY / leftM];
  }
  actor.direction = { x, y };
  actor.axMps2 = (speedMps - actor.vMps) / dtS;
  actor.vMps = speedMps;
  if (speedMps === 0) return;
  actor.pose.x += x * speedMps * dtS;
  actor.pose.y += y * speedMps * dtS;
  actor.pose.headingRad = Math.atan2(y, x);
}

function begins(
  script: WalkerScript,
  actor: WalkerActor,
  ego: VehicleActor | null,
  view: TriggerView,
): boolean {
  if (view.tS < script.notBeforeS) return false;
  if (script.when !== undefined && !isTriggered(script.when, actor, view)) return false;
  const { whenEgoWithinM, whenEgoWithinS } = script;
  if (whenEgoWithinM === null && whenEgoWithinS === null) return true;
  if (ego === null) return false;
  const distanceM = Math.hypot(ego.pose.x - script.from.x, ego.pose.y - script.from.y);
  if (whenEgoWithinM !== null && distanceM <= whenEgoWithinM) return true;
  return whenEgoWithinS !== null && distanceM <= whenEgoWithinS * Math.max(0.5, ego.vMps);
}

/** Nobody can tell further ahead where somebody on foot is going. */
const foreseenS = 4;

/**
 * Metres along a vehicle's heading to the nearest walker who is in its way or about to be; Infinity where there is none.
 * A walker counts who is within the vehicle's width and a margin, or who will be, going on like this, before it has passed.
 */
export function walkerAheadM(actor: VehicleActor, walkers: Iterable<WalkerActor>): number {
  const { pose, size } = actor;
  const cos = Math.cos(pose.headingRad);
  const sin = Math.sin(pose.headingRad);
  let nearestM = Infinity;
  for (const walker of walkers) {
    const dx = walker.pose.x - pose.x;
    const dy = walker.pose.y - pose.y;
    const aheadM = dx * cos + dy * sin - size.lengthM / 2;
    if (aheadM < 0 || aheadM > 60) continue;
    const asideM = dy * cos - dx * sin;
    const inwardsMps =
      -Math.sign(asideM) * walker.vMps * (walker.direction.y * cos - walker.direction.x * sin);
    const halfM = size.widthM / 2 + 0.6;
    const passesInS = (aheadM + size.lengthM) / Math.max(1, actor.vMps);
    const withinS = Math.min(foreseenS, Math.max(2, passesInS));
    if (Math.abs(asideM) <= halfM + Math.max(0, inwardsMps) * withinS)
      nearestM = Math.min(nearestM, aheadM - 1);
  }
  return nearestM;
}
