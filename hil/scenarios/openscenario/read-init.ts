/** The Init of a storyboard: where everybody stands, how fast they are, and in which weather. */
import type { XmlElement } from '../../opendrive/xml-element.js';
import { absoluteSpeedMps } from './read-actions.js';
import type { Entity } from './read-entities.js';
import { readEnvironment, type WeatherPointData } from './read-environment.js';
import type { LaneAt, PlainPose, PositionReader } from './read-position.js';
import type { XoscReader } from './xosc-reader.js';

export interface Begun {
  /** of vehicles */
  lane: LaneAt | null;
  /** of people on foot */
  pose: PlainPose | null;
  speedMps: number;
  /** a program of its own drives it: `AssignControllerAction` with a controller outside the simulator */
  isExternal: boolean;
}

export interface Init {
  readonly begun: ReadonlyMap<string, Begun>;
  readonly weather: WeatherPointData | null;
  readonly start: string | null;
  readonly signals: readonly XmlElement[];
}

/** modules of scenario_runner that leave a vehicle to whoever connects */
const externalModules = /external_control|carla_autopilot/;

export function readInit(
  storyboard: XmlElement,
  entities: ReadonlyMap<string, Entity>,
  positions: PositionReader,
  reader: XoscReader,
): Init {
  const begun = new Map<string, Begun>();
  let weather: WeatherPointData | null = null;
  let start: string | null = null;
  const signals: XmlElement[] = [];
  const actions = reader.must(reader.must(storyboard, 'Init'), 'Actions');
  reader.only(actions, ['GlobalAction', 'UserDefinedAction', 'Private']);
  for (const global of reader.children(actions, 'GlobalAction')) {
    const environment = reader.child(global, 'EnvironmentAction');
    const signal = signalStateOf(global, reader);
    if (environment !== undefined) {
      const read = readEnvironment(environment, 0, reader);
      weather = read?.point ?? weather;
      start = read?.start ?? start;
    } else if (signal !== null) signals.push(signal);
    else reader.leaveOut(global.children[0] ?? global, 'not supported in Init');
  }
  for (const custom of reader.children(actions, 'UserDefinedAction'))
    reader.leaveOut(custom, 'not supported in Init');
  for (const own of reader.children(actions, 'Private')) {
    const name = reader.text(own, 'entityRef');
    const entity = entities.get(name);
    if (entity === undefined) {
      reader.leaveOut(own, `there is no ${name} here`);
      continue;
    }
    const state: Begun = begun.get(name) ?? { lane: null, pose: null, speedMps: 0, isExternal: false };
    begun.set(name, state);
    for (const action of reader.children(own, 'PrivateAction')) readPrivate(action, entity, state);
  }
  return { begun, weather, start, signals };

  function readPrivate(action: XmlElement, entity: Entity, state: Begun): void {
    const kind = action.children[0];
    if (kind === undefined) return;
    if (kind.name === 'TeleportAction') {
      const position = reader.must(kind, 'Position');
      if (entity.kind === 'walker') state.pose = positions.pose(position);
      else state.lane = positions.lane(position);
      return;
    }
    const speed = reader.child(kind, 'SpeedAction');
    if (kind.name === 'LongitudinalAction' && speed !== undefined) {
      state.speedMps = absoluteSpeedMps(speed, reader) ?? state.speedMps;
      return;
    }
    if (kind.name === 'ControllerAction') {
      readController(kind, state, reader);
      return;
    }
    reader.leaveOut(kind, 'not supported in Init');
  }
}

/** Who drives is known by the controller's module; overrides that are off override nothing. */
function readController(action: XmlElement, state: Begun, reader: XoscReader): void {
  reader.only(action, ['AssignControllerAction', 'OverrideControllerValueAction']);
  const controller = reader.child(reader.child(action, 'AssignControllerAction'), 'Controller');
  if (controller !== undefined) {
    const module = reader.properties(controller).get('module') ?? '';
    if (externalModules.test(module)) state.isExternal = true;
    else if (module !== '' && !/control/.test(module))
      reader.leaveOut(controller, `controller ${module}: the simulator's own drives it`);
  }
  for (const override of reader.child(action, 'OverrideControllerValueAction')?.children ?? [])
    if (reader.flag(override, 'active', false)) reader.leaveOut(override, 'pedals are not overridden');
}

/** The TrafficSignalStateAction of a global action; null where it is something else. */
export function signalStateOf(global: XmlElement, reader: XoscReader): XmlElement | null {
  const infrastructure = reader.child(global, 'InfrastructureAction');
  const signal = reader.child(infrastructure, 'TrafficSignalAction');
  return reader.child(signal, 'TrafficSignalStateAction') ?? null;
}
