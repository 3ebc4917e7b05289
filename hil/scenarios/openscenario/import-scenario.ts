/**
 * An OpenSCENARIO 1 file as a scenario file of ours: what scenario_runner supports of it, as far as the simulator can do it.
 * Everything else is listed with line and column; the caller decides whether a part is enough.
 */
import type { OpenDriveMap } from '../../opendrive/map.js';
import type { XmlElement } from '../../opendrive/xml-element.js';
import { faultCommand, ownParameters } from './own-words.js';
import { laneChangeStep, type Moving, speedStep } from './read-actions.js';
import { type Entity, readEntities } from './read-entities.js';
import { readEnvironment, type WeatherPointData } from './read-environment.js';
import { type Begun, readInit } from './read-init.js';
import { PositionReader } from './read-position.js';
import { readSignalState, type Shown } from './read-signal-state.js';
import { readStop } from './read-stop.js';
import { readStories, type StoryEvent } from './read-story.js';
import { TriggerReader } from './read-trigger.js';
import { readWalker } from './read-walker.js';
import { whenOf } from './when-of.js';
import { type Finding, XoscReader } from './xosc-reader.js';

export interface ImportWish {
  readonly file: string;
  readonly text: string;
  /** id of the scenario, where the file has none of its own */
  readonly id: string;
  /** instead of the file's own map */
  readonly map: string | null;
  /** the map that is named, read; throws what says why it cannot */
  readMap(name: string): OpenDriveMap;
}

export interface Imported {
  /** in the format of scenario files; not validated yet */
  readonly data: Record<string, unknown>;
  readonly findings: readonly Finding[];
}

/** @throws DriveMcpError SCENARIO_INVALID with line and column where it cannot be read at all; MAP_INVALID */
export function importScenario(wish: ImportWish): Imported {
  const reader = new XoscReader(wish.text, wish.file);
  reader.only(reader.root, [
    'FileHeader',
    'ParameterDeclarations',
    'CatalogLocations',
    'RoadNetwork',
    'Entities',
    'Storyboard',
  ]);
  const header = reader.must(reader.root, 'FileHeader');
  const description = reader.text(header, 'description', '');
  const logic = reader.must(reader.must(reader.root, 'RoadNetwork'), 'LogicFile');
  const mapName = wish.map ?? reader.text(logic, 'filepath');
  const map = wish.readMap(mapName);
  const positions = new PositionReader(reader, map, description.startsWith('CARLA:'));
  const entities = readEntities(reader);
  const triggers = new TriggerReader(reader, positions, (name, at) => {
    const entity = entities.get(name);
    if (entity === undefined) throw reader.fault(at, `there is no entity ${name}`);
    return entity.kind === 'ego' ? 'ego' : name;
  });
  const storyboard = reader.must(reader.root, 'Storyboard');
  reader.only(storyboard, ['Init', 'Story', 'StopTrigger']);
  const init = readInit(storyboard, entities, positions, reader);
  const { events, stops } = readStories(storyboard, triggers, reader);
  const weather: WeatherPointData[] = [init.weather ?? { at_s: 0 }];
  const shown: Shown[] = init.signals.flatMap((signal) => readSignalState(signal, 0, reader) ?? []);
  const faults: unknown[] = [];
  for (const event of events) if (event.kind !== 'private') readGlobal(event);
  const data: Record<string, unknown> = {
    id: reader.parameter(ownParameters.id) ?? wish.id,
    family: reader.parameter(ownParameters.family) ?? 'other',
    title: description.replace(/^CARLA:\s*/, '').slice(0, 120) || wish.id,
    map: mapName,
    seed: Number(reader.parameter(ownParameters.seed) ?? 1),
    ...(init.start === null ? {} : { start: init.start }),
    weather: weather.sort((one, other) => one.at_s - other.at_s),
    ...people(),
    gantries: gantries(shown),
    can_faults: faults,
    stop: readStop(reader.child(storyboard, 'StopTrigger'), stops, entities, positions, reader),
  };
  return { data, findings: reader.findings };

  function readGlobal({ action, when, kind, element }: StoryEvent): void {
    const atS = whenOf(when).at_s;
    if (when.length > 1 || (when[0]?.length ?? 0) > (atS > 0 ? 1 : 0)) {
      reader.leaveOut(element, 'weather, signals and faults change by the time alone');
      return;
    }
    if (kind === 'custom') {
      const command = action.name === 'CustomCommandAction' ? action : undefined;
      if (command === undefined || reader.text(command, 'type') !== faultCommand)
        reader.leaveOut(action, 'not supported');
      else faults.push({ ...(JSON.parse(command.text) as object), at_s: atS });
      return;
    }
    if (action.name === 'EnvironmentAction') {
      const read = readEnvironment(action, atS, reader);
      if (read !== null) weather.push(read.point);
      return;
    }
    const signal = reader.child(reader.child(action, 'TrafficSignalAction'), 'TrafficSignalStateAction');
    if (signal === undefined) reader.leaveOut(action, 'not supported');
    else shown.push(...(readSignalState(signal, atS, reader) ?? []));
  }

  function people(): Record<string, unknown> {
    const vehicles: unknown[] = [];
    const walkers: unknown[] = [];
    let ego: unknown;
    for (const entity of entities.values()) {
      const begun = init.begun.get(entity.name);
      if (entity.kind === 'walker') {
        const walker = begun === undefined ? null : readWalker(entity, begun, eventsOf(entity), reader);
        if (walker !== null) walkers.push(walker);
        continue;
      }
      if (begun === undefined || begun.lane === null) {
        reader.leaveOut(entity.element, `${entity.name} has no place in Init: left out`);
        continue;
      }
      if (entity.kind === 'ego') ego = egoOf(entity, begun);
      else vehicles.push(vehicleOf(entity, begun));
    }
    return { ...(ego === undefined ? {} : { ego }), vehicles, walkers };
  }

  function eventsOf({ name }: Entity): readonly StoryEvent[] {
    return events.filter(({ kind, actors }) => kind === 'private' && actors.includes(name));
  }

  function egoOf(entity: Entity, begun: Begun): unknown {
    for (const { action } of eventsOf(entity))
      reader.leaveOut(action, 'the ego is driven by its driver or a client, not by a story');
    const isDriven = entity.properties.get('brain') === 'driver' || !begun.isExternal;
    return { ...common(entity, begun), brain: isDriven ? 'driver' : 'client' };
  }

  function common({ vehicle, properties }: Entity, { lane, speedMps }: Begun) {
    const factor = properties.get('speed_factor');
    return {
      vehicle,
      spawn: lane,
      speed_mps: speedMps,
      ...(factor === undefined ? {} : { speed_factor: Number(factor) }),
    };
  }

  function vehicleOf(entity: Entity, begun: Begun): unknown {
    const place = begun.lane;
    if (place === null) return null;
    const moving: Moving = { speedMps: begun.speedMps, lane: place.lane, place };
    const script = eventsOf(entity).flatMap(({ action, when }) => {
      const step = stepOf(action, moving);
      return step === null ? [] : [{ ...step, ...whenOf(when, entity.name) }];
    });
    const order = script.length === 0 ? {} : { script, script_order: 'any' };
    return { ...common(entity, begun), role: entity.name, ...order };
  }

  function stepOf(action: XmlElement, moving: Moving) {
    const speed = reader.child(action, 'SpeedAction');
    if (action.name === 'LongitudinalAction' && speed !== undefined) return speedStep(speed, moving, reader);
    const change = reader.child(action, 'LaneChangeAction');
    if (action.name === 'LateralAction' && change !== undefined)
      return laneChangeStep(change, moving, map, reader);
    const activate = reader.child(action, 'ActivateControllerAction');
    if (activate !== undefined && reader.flag(activate, 'longitudinal', false))
      return { do: 'follow' } as const;
    reader.leaveOut(action.children[0] ?? action, 'not supported as an action of a vehicle');
    return null;
  }
}

/** Signals that show the same at the same times are one gantry. */
function gantries(shown: readonly Shown[]): unknown[] {
  const bySignal = new Map<string, unknown[]>();
  for (const { signal, from_s, value, plate } of [...shown].sort((a, b) => a.from_s - b.from_s)) {
    const shows = bySignal.get(signal) ?? [];
    shows.push({ from_s, value, ...(plate === null ? {} : { plate }) });
    bySignal.set(signal, shows);
  }
  const together = new Map<string, { signals: string[]; shows: unknown[] }>();
  for (const [signal, shows] of bySignal) {
    const key = JSON.stringify(shows);
    const known = together.get(key);
    if (known === undefined || known.signals.length >= 20)
      together.set(known === undefined ? key : `${key} ${signal}`, { signals: [signal], shows });
    else known.signals.push(signal);
  }
  return [...together.values()];
}
