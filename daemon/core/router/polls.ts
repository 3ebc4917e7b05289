import type { GripMemory } from '../fuse/grip.js';
import type { Params } from '../params.js';
import type { ToolName } from '../tick.js';
import type { RouterState } from './router-state.js';

/**
 * Experts asked without an event, at low frequency: vehicle health (0.2 Hz), and grip where no answer is left
 * or half its time to live is over. Without the second a dry road would never have a grip to count on.
 */
export function duePolls(state: RouterState, grip: GripMemory, tUs: number, params: Params): ToolName[] {
  const polls: ToolName[] = [];
  const { healthPollUs } = params.events;
  const isDue = (tool: ToolName): boolean => {
    const lastUs = state.lastAskedUs[tool];
    return lastUs === null || tUs - lastUs >= healthPollUs;
  };
  const isGripOld = grip.answer === null || tUs - grip.answer.atUs >= params.freshness.frictionUs / 2;
  if (isGripOld && isDue('weather')) polls.push('weather');
  if (isDue('can')) polls.push('can');
  return polls;
}
