/** What the experts are asked, as data: which call of which, its deadline, how long an answer is reused. */
import type { EventType } from '../events/event-types.js';
import type { Params } from '../params.js';
import type { ToolName } from '../tick.js';

/** What can be asked; of the rules expert the law of the place and, apart from it, the meaning of a foreign sign. */
export type Inquiry = ToolName | 'sign';

export interface ExpertCall {
  readonly tool: ToolName;
  readonly call: string;
  readonly deadlineUs: number;
  readonly reuseUs: (params: Params) => number;
}

/** In the order in which requests leave a tick. */
export const expertCalls: Readonly<Record<Inquiry, ExpertCall>> = {
  rules: {
    tool: 'rules',
    call: 'rules_lookup_limit',
    deadlineUs: 300_000,
    reuseUs: (params) => params.speech.rulesReuseUs,
  },
  weather: {
    tool: 'weather',
    call: 'weather_assess',
    deadlineUs: 100_000,
    reuseUs: (params) => params.speech.weatherReuseUs,
  },
  can: {
    tool: 'can',
    call: 'can_health',
    deadlineUs: 50_000,
    reuseUs: (params) => params.speech.canReuseUs,
  },
  sign: {
    tool: 'rules',
    call: 'rules_explain_sign',
    deadlineUs: 300_000,
    reuseUs: (params) => params.speech.rulesReuseUs,
  },
};

export const inquiries: readonly Inquiry[] = ['rules', 'weather', 'can', 'sign'];

export const toolNames: readonly ToolName[] = ['rules', 'weather', 'can'];

/** What an event asks; conditions that depend on its payload are in `inquiriesOf`. */
const inquiriesByEvent: Readonly<Record<EventType, readonly Inquiry[]>> = {
  hazard_rss: ['weather'],
  low_friction: ['weather'],
  vehicle_fault: ['can'],
  jurisdiction_change: ['rules'],
  dynamic_limit_update: ['rules'],
  foreign_sign: ['rules', 'sign'],
  uncertain_limit: ['rules'],
  overspeed: [],
  driver_query: [],
};

/** What of an event's payload decides about the experts. */
export interface RoutedEvent {
  readonly type: EventType;
  readonly hasWetPlate?: boolean;
  readonly isStabilityActive?: boolean;
  readonly isLimitOld?: boolean;
  readonly intent?: 'law' | 'road' | 'car';
}

const toolOfIntent = { law: 'rules', road: 'weather', car: 'can' } as const;

export function inquiriesOf(event: RoutedEvent): readonly Inquiry[] {
  const base = inquiriesByEvent[event.type];
  if (event.type === 'dynamic_limit_update' && event.hasWetPlate === true) return ['rules', 'weather'];
  if (event.type === 'low_friction' && event.isStabilityActive === true) return ['weather', 'can'];
  if (event.type === 'overspeed' && event.isLimitOld === true) return ['rules'];
  if (event.type === 'driver_query') return [toolOfIntent[event.intent ?? 'law']];
  return base;
}
