/**
 * Events: scores of the situation against a threshold, with hysteresis. An event is active while its score
 * reaches η and fires once when it becomes active; it can fire again after its score was below 0.8·η for 2 s,
 * or at once when it is about something else (another gantry, another fault).
 */
import type { Params } from '../params.js';
import type { FiredEvent, JsonObject } from '../tick.js';
import { compareStrings } from '../tick-notes.js';
import { type EventType, eventTypes } from './event-types.js';

/** One detector's verdict on a tick. */
export interface Detection {
  readonly score: number;
  /** what it is about; a change of it is a new event */
  readonly subject: string;
  readonly payload: JsonObject;
}
export type Detections = { readonly [type in EventType]: Detection | null };

interface EventMemory {
  readonly isArmed: boolean;
  readonly subject: string;
  /** since when the score is below the re-arm threshold; null = it is not */
  readonly calmSinceUs: number | null;
}
export type EventMemories = { readonly [type in EventType]: EventMemory };

export interface DetectedEvents {
  readonly memories: EventMemories;
  readonly active: readonly EventType[];
  readonly fired: readonly FiredEvent[];
}

const armed: EventMemory = { isArmed: true, subject: '', calmSinceUs: null };

export const initialEvents: EventMemories = Object.freeze(
  Object.fromEntries(eventTypes.map((type) => [type, armed])),
) as EventMemories;

export function detectEvents(
  memories: EventMemories,
  detections: Detections,
  tUs: number,
  params: Params,
): DetectedEvents {
  const { etaRatio, rearmRatio, rearmHoldUs } = params.events;
  const active: EventType[] = [];
  const fired: FiredEvent[] = [];
  let next: { [type in EventType]: EventMemory } | null = null;
  for (const type of eventTypes) {
    const detection = detections[type];
    const before = memories[type];
    const score = detection?.score ?? 0;
    let memory = before;
    if (detection !== null && score >= etaRatio) {
      active.push(type);
      if (before.isArmed || compareStrings(before.subject, detection.subject) !== 0) {
        fired.push({ type, score, eta: etaRatio, payload: detection.payload });
        memory = { isArmed: false, subject: detection.subject, calmSinceUs: null };
      } else if (before.calmSinceUs !== null) memory = { ...before, calmSinceUs: null };
    } else if (!before.isArmed) {
      if (score >= rearmRatio * etaRatio) {
        if (before.calmSinceUs !== null) memory = { ...before, calmSinceUs: null };
      } else if (before.calmSinceUs === null) memory = { ...before, calmSinceUs: tUs };
      else if (tUs - before.calmSinceUs >= rearmHoldUs) memory = armed;
    }
    if (memory !== before) {
      next ??= { ...memories };
      next[type] = memory;
    }
  }
  return { memories: next ?? memories, active, fired };
}
