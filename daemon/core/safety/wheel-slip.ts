/**
 * A hint of a slippery road: a wheel that turns faster or slower than the car moves while nobody brakes or
 * accelerates hard. Binary on purpose; it says that grip is short, not how much there is.
 */
import type { Params } from '../params.js';

export interface WheelReading {
  /** circumferential speed */
  readonly speedMps: number;
  readonly observedAtUs: number;
}

export interface SlipMemory {
  /** slipping wheels summed over consecutive samples */
  readonly count: number;
  /** since when without a break; null = no wheel slips */
  readonly sinceUs: number | null;
  /** newest wheel sample that was looked at */
  readonly seenUs: number;
  /** when the hint last held; null = never */
  readonly hintUs: number | null;
}

export const noSlip: SlipMemory = { count: 0, sinceUs: null, seenUs: -1, hintUs: null };

/**
 * |wheel − v|/max(v, 1) > 0.1 at |a| < 2 m/s², three wheels·samples in a row. Below 8 m/s a tight turn alone
 * makes inner and outer wheels differ by that much; a difference that stays for seconds is a wrong tyre size or
 * a wrong factor, not slip.
 */
export function observeSlip(
  memory: SlipMemory,
  wheels: readonly WheelReading[],
  speedMps: number | null,
  accelerationMps2: number | null,
  params: Params,
): SlipMemory {
  const { slipRatio, slipAccelMaxMps2, slipSpeedMinMps, slipSamplesCount, slipRunMaxUs } = params.friction;
  let newestUs = memory.seenUs;
  let slipping = 0;
  for (const { speedMps: wheelMps, observedAtUs } of wheels) {
    if (observedAtUs <= memory.seenUs) continue;
    newestUs = Math.max(newestUs, observedAtUs);
    if (speedMps !== null && Math.abs(wheelMps - speedMps) / Math.max(speedMps, 1) > slipRatio) slipping++;
  }
  if (newestUs === memory.seenUs) return memory;
  const isSteady = accelerationMps2 === null || Math.abs(accelerationMps2) < slipAccelMaxMps2;
  if (slipping === 0 || !isSteady || speedMps === null || speedMps < slipSpeedMinMps) {
    return { ...memory, count: 0, sinceUs: null, seenUs: newestUs };
  }
  const sinceUs = memory.sinceUs ?? newestUs;
  const count = memory.count + slipping;
  const isHint = count >= slipSamplesCount && newestUs - sinceUs <= slipRunMaxUs;
  return { count, sinceUs, seenUs: newestUs, hintUs: isHint ? newestUs : memory.hintUs };
}

export function hasSlipHint(memory: SlipMemory, tUs: number, params: Params): boolean {
  return memory.hintUs !== null && tUs - memory.hintUs <= params.friction.slipHintTtlUs;
}
