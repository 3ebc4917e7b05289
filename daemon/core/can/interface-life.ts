/**
 * The life of one CAN interface as a pure state machine: what is seen of it (link messages, error frames, frames,
 * failures of the socket) in, its state with advice and what the adapter has to do out.
 *
 * Why a machine: an interface that was deleted and made anew lets the old socket bind again, but the kernel has cleared
 * the socket's filters without a word, so that it receives nothing and reports nothing. Whoever only watches for errors
 * waits for ever.
 */
import type { ControllerState, ErrorReport } from './error-frame.js';

export type InterfaceState =
  | 'absent' // never seen
  | 'unplugged' // was there and is gone
  | 'down'
  | 'up'
  | 'error_warning'
  | 'error_passive'
  | 'bus_off';

/** What happened beside the state: kept apart, because an event passes and a state lasts. */
export type InterfaceEvent = 're_created' | 're_indexed' | 'restarted' | 'overrun' | 'resumed';

export interface LinkSight {
  readonly index: number;
  readonly isUp: boolean;
  /** null for interfaces without a controller (vcan) */
  readonly controller: ControllerState | null;
}

export type InterfaceInput =
  | { readonly kind: 'link'; readonly link: LinkSight }
  | { readonly kind: 'gone' }
  | { readonly kind: 'error_frame'; readonly report: ErrorReport }
  /** frames arrived since the input before */
  | { readonly kind: 'frames' }
  /** the socket failed */
  | { readonly kind: 'failure' };

export interface InterfaceLife {
  readonly name: string;
  readonly state: InterfaceState;
  readonly sinceUs: number;
  readonly index: number | null;
  readonly isUp: boolean;
  readonly controller: ControllerState | null;
  readonly wasSeen: boolean;
  /** time of the first moment without reception, while an outage lasts */
  readonly outageFromUs: number | null;
  readonly outages: number;
  readonly outageUs: number;
  readonly events: { readonly [E in InterfaceEvent]: number };
}

export interface InterfaceStep {
  readonly life: InterfaceLife;
  /** null = the state is the one before */
  readonly changedFrom: InterfaceState | null;
  readonly events: readonly InterfaceEvent[];
  /** bind again and set the filters again */
  readonly mustRebind: boolean;
  /** ask the kernel for the state of the links */
  readonly mustAsk: boolean;
}

export function newInterfaceLife(name: string, tUs: number): InterfaceLife {
  return {
    name,
    state: 'absent',
    sinceUs: tUs,
    index: null,
    isUp: false,
    controller: null,
    wasSeen: false,
    outageFromUs: tUs,
    outages: 0,
    outageUs: 0,
    events: { re_created: 0, re_indexed: 0, restarted: 0, overrun: 0, resumed: 0 },
  };
}

export function stepInterface(life: InterfaceLife, input: InterfaceInput, tUs: number): InterfaceStep {
  const events: InterfaceEvent[] = [];
  let { index, isUp, controller, wasSeen } = life;
  let mustRebind = false;
  let mustAsk = false;
  switch (input.kind) {
    case 'link':
      if (index !== null && index !== input.link.index) events.push('re_indexed');
      else if (index === null && wasSeen) events.push('re_created');
      mustRebind = index !== input.link.index && wasSeen;
      index = input.link.index;
      isUp = input.link.isUp;
      // A link message of an interface without a controller says nothing; error frames may have said something.
      if (input.link.controller !== null) controller = input.link.controller;
      else if (!isUp) controller = null;
      wasSeen = true;
      break;
    case 'gone':
      index = null;
      isUp = false;
      controller = null;
      break;
    case 'error_frame':
      if (input.report.controller !== null) controller = input.report.controller;
      if (input.report.isRestarted) events.push('restarted');
      if (input.report.isOverrun) events.push('overrun');
      break;
    case 'frames':
      // Who receives data frames is not bus-off, whatever was said last: the message about the end may be lost.
      if (controller === 'bus_off') {
        controller = 'active';
        events.push('restarted');
      }
      break;
    case 'failure':
      // A socket tells of its interface's end late and once, perhaps after the interface is up again. So a failure is
      // no news of the state; it is a reason to ask the kernel, whose answer is.
      mustAsk = true;
      break;
  }
  const state = stateOf(index, isUp, controller, wasSeen);
  const receives = canReceive(state);
  if (receives && life.outageFromUs !== null && canReceive(life.state) === false && life.state !== 'absent')
    events.push('resumed');
  const isNewOutage = !receives && canReceive(life.state);
  return {
    life: {
      name: life.name,
      state,
      sinceUs: state === life.state ? life.sinceUs : tUs,
      index,
      isUp,
      controller,
      wasSeen,
      outageFromUs: receives ? null : (life.outageFromUs ?? tUs),
      outages: life.outages + (isNewOutage ? 1 : 0),
      outageUs:
        life.outageUs +
        (receives && life.outageFromUs !== null && life.outages > 0 ? tUs - life.outageFromUs : 0),
      events: countEvents(life.events, events),
    },
    changedFrom: state === life.state ? null : life.state,
    events,
    mustRebind,
    mustAsk,
  };
}

/** True in the states in which frames may arrive. */
export function canReceive(state: InterfaceState): boolean {
  return state === 'up' || state === 'error_warning' || state === 'error_passive';
}

function stateOf(
  index: number | null,
  isUp: boolean,
  controller: ControllerState | null,
  wasSeen: boolean,
): InterfaceState {
  if (index === null) return wasSeen ? 'unplugged' : 'absent';
  if (!isUp) return 'down';
  if (controller === 'bus_off') return 'bus_off';
  if (controller === 'passive') return 'error_passive';
  if (controller === 'warning') return 'error_warning';
  if (controller === 'stopped' || controller === 'sleeping') return 'down';
  return 'up';
}

function countEvents(
  before: InterfaceLife['events'],
  events: readonly InterfaceEvent[],
): InterfaceLife['events'] {
  if (events.length === 0) return before;
  const after = { ...before };
  for (const event of events) after[event]++;
  return after;
}

/** What to do about a state, for people. */
export const interfaceAdvice: { readonly [S in InterfaceState]: string } = {
  absent: 'no CAN interface of this name; check the name with ip link, the adapter and its driver',
  unplugged: 'the adapter is gone; plug it in again: reception resumes by itself',
  down: 'bring it up: ip link set NAME type can bitrate RATE listen-only on, then ip link set NAME up',
  up: 'fine',
  error_warning: 'more than 96 errors counted; check bit rate, termination and wiring',
  error_passive: 'more than 127 errors counted; usually a wrong bit rate, or nobody else on the bus',
  bus_off:
    'the controller has left the bus; check wiring and bit rate; ip link set NAME type can restart-ms 100 lets it return by itself',
};
