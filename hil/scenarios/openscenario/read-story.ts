/** The stories: each event with what starts it, for whom it is, and what it does. */
import type { XmlElement } from '../../opendrive/xml-element.js';
import { type Alternatives, always, both, type TriggerReader } from './read-trigger.js';
import type { XoscReader } from './xosc-reader.js';

export interface StoryEvent {
  readonly element: XmlElement;
  /** names of entities; none for global actions */
  readonly actors: readonly string[];
  /** the element inside a PrivateAction, GlobalAction or UserDefinedAction */
  readonly action: XmlElement;
  readonly kind: 'private' | 'global' | 'custom';
  readonly when: Alternatives;
}

export interface Stories {
  readonly events: readonly StoryEvent[];
  /** stop triggers of acts */
  readonly stops: readonly XmlElement[];
}

const kinds = {
  PrivateAction: 'private',
  GlobalAction: 'global',
  UserDefinedAction: 'custom',
} as const;

export function readStories(storyboard: XmlElement, triggers: TriggerReader, reader: XoscReader): Stories {
  const events: StoryEvent[] = [];
  const stops: XmlElement[] = [];
  for (const story of reader.children(storyboard, 'Story')) {
    reader.only(story, ['ParameterDeclarations', 'Act']);
    for (const act of reader.children(story, 'Act')) {
      reader.only(act, ['ManeuverGroup', 'StartTrigger', 'StopTrigger']);
      const begins = triggers.read(reader.child(act, 'StartTrigger'));
      const stop = reader.child(act, 'StopTrigger');
      if (stop !== undefined) stops.push(stop);
      for (const group of reader.children(act, 'ManeuverGroup')) readGroup(group, begins);
    }
  }
  return { events, stops };

  function readGroup(group: XmlElement, begins: Alternatives): void {
    reader.only(group, ['Actors', 'Maneuver']);
    if (reader.number(group, 'maximumExecutionCount', 1) !== 1)
      reader.leaveOut(group, 'maximumExecutionCount: everything happens once');
    const list = reader.must(group, 'Actors');
    if (reader.flag(list, 'selectTriggeringEntities', false))
      reader.leaveOut(list, 'selectTriggeringEntities: actors are named');
    const actors = reader.children(list, 'EntityRef').map((one) => reader.text(one, 'entityRef'));
    for (const maneuver of reader.children(group, 'Maneuver')) {
      reader.only(maneuver, ['ParameterDeclarations', 'Event']);
      for (const event of reader.children(maneuver, 'Event')) readEvent(event, actors, begins);
    }
  }

  function readEvent(event: XmlElement, actors: readonly string[], begins: Alternatives): void {
    reader.only(event, ['Action', 'StartTrigger']);
    const own = reader.child(event, 'StartTrigger');
    const when = both(begins, own === undefined ? always : triggers.read(own));
    for (const action of reader.children(event, 'Action')) {
      const wrapper = reader.oneOf(action, Object.keys(kinds));
      const inner = wrapper?.children[0];
      if (wrapper === undefined || inner === undefined) {
        reader.leaveOut(action, 'no action in it');
        continue;
      }
      if (when.length === 0) reader.leaveOut(inner, 'left out: nothing that is supported starts it');
      else
        events.push({
          element: event,
          actors,
          action: inner,
          kind: kinds[wrapper.name as keyof typeof kinds],
          when,
        });
    }
  }
}
