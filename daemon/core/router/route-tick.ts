/** The router's part of a tick: questions of the situation, calls of the events, requests that leave. */
import type { DetectedEvents, Detections } from '../events/detect.js';
import type { Perceived } from '../fuse/perceive.js';
import type { Params } from '../params.js';
import type { TickInputs } from '../tick.js';
import type { TickNotes } from '../tick-notes.js';
import { duePolls } from './polls.js';
import { buildQuestions } from './questions.js';
import { type Routed, route } from './route.js';
import { routedEvent } from './routed-event.js';
import type { RouterState } from './router-state.js';

export function routeTick(
  router: RouterState,
  inputs: TickInputs,
  perceived: Perceived,
  detections: Detections,
  events: DetectedEvents,
  params: Params,
  notes: TickNotes,
): Routed {
  const { view } = perceived.situation;
  return route(
    router,
    inputs,
    events.active.map((type) => routedEvent(type, detections[type]?.payload ?? {}, view, params)),
    events.fired.map((event) => routedEvent(event.type, event.payload, view, params)),
    duePolls(router, perceived.memories.grip, inputs.tUs, params),
    buildQuestions(perceived, inputs.wallMs, params),
    notes,
  );
}
