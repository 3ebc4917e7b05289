/** Reads a scenario file: the format, then what only the map can tell (lanes, signals, room to stand). */
import { type LocatedYaml, parseLocatedYaml } from '../../mcp/rules/format/located-yaml.js';
import { isDriving } from '../opendrive/lane-network.js';
import type { OpenDriveMap } from '../opendrive/map.js';
import { readOpenDrive } from '../opendrive/read-map.js';
import { laneCentreM, poseAside, sectionAt } from '../opendrive/road-line.js';
import { mapNames, mapText } from '../sim/maps/map-catalogue.js';
import { overlaps } from '../sim/world/actor.js';
import { SimWorld } from '../sim/world/sim-world.js';
import type { ScriptEvent, SpawnPlace, WorldScenario } from '../sim/world/world-scenario.js';
import { type Border, bordersOf } from './borders.js';
import { toFault } from './fault-event.js';
import { laneWidthAt } from './lane-width.js';
import { type ScenarioData, scenarioSchema } from './scenario-schema.js';
import type { StopRule } from './stop-rule.js';
import { toTrigger } from './trigger-schema.js';
import { weatherCurve } from './weather-curve.js';

export interface ScenarioFile {
  readonly world: WorldScenario;
  readonly family: ScenarioData['family'];
  readonly title: string;
  readonly stop: StopRule;
  readonly borders: readonly Border[];
  /** OpenDRIVE text of its map, and the same read */
  readonly mapText: string;
  readonly map: OpenDriveMap;
}

export interface ScenarioSource {
  /** for messages */
  readonly file: string;
  readonly text: string;
  /** reads an OpenDRIVE file that the scenario names; throws what says why it cannot */
  readMap(path: string): string;
}

type Fault = LocatedYaml<ScenarioData>['fault'];
type At = readonly (string | number)[];

/** @throws DriveMcpError SCENARIO_INVALID with file, line, column and key; MAP_INVALID; what `readMap` throws */
export function readScenario({ file, text, readMap }: ScenarioSource): ScenarioFile {
  const { data, fault } = parseLocatedYaml('SCENARIO_INVALID', file, text, scenarioSchema);
  const isFile = data.map.endsWith('.xodr');
  if (!isFile && !mapNames.includes(data.map))
    throw fault(['map'], `there is no map ${data.map}; there are ${mapNames.join(', ')}, or a .xodr file`);
  const openDrive = isFile ? readMap(data.map) : mapText(data.map);
  const name = isFile ? (data.map.split('/').at(-1)?.slice(0, -5) ?? data.map) : data.map;
  const map = readOpenDrive(openDrive, isFile ? data.map : `${data.map}.xodr`);
  const world = toWorld(data, name, map, fault);
  mustHaveRoom(world, map, fault);
  const { stop } = data;
  return {
    world,
    family: data.family,
    title: data.title,
    stop: {
      atS: stop.at_s,
      onCollision: stop.on_collision,
      egoAt: stop.ego_at === undefined ? null : { road: String(stop.ego_at.road), sM: stop.ego_at.s_m },
      egoTravelledM: stop.ego_travelled_m,
    },
    borders: bordersOf(map),
    mapText: openDrive,
    map,
  };
}

function toWorld(data: ScenarioData, name: string, map: OpenDriveMap, fault: Fault): WorldScenario {
  const spawnOf = (spawn: ScenarioData['vehicles'][number]['spawn'], at: At): SpawnPlace => {
    const placed = { road: String(spawn.road), lane: spawn.lane, sM: spawn.s_m };
    const road = roadOf(map, spawn.road, placed.sM, at, fault);
    const lane = sectionAt(road, placed.sM).lanes.find(({ id }) => id === placed.lane);
    if (lane === undefined || !isDriving(lane))
      throw fault([...at, 'lane'], `road ${road.id} has no driving lane ${placed.lane} at ${placed.sM} m`);
    return placed;
  };
  const { ego } = data;
  const signals = new Map(
    [...map.roads.values()].flatMap((road) => road.signals.map((one) => [one.id, one])),
  );
  if (data.stop.ego_at !== undefined)
    roadOf(map, data.stop.ego_at.road, data.stop.ego_at.s_m, ['stop', 'ego_at'], fault);
  return {
    id: data.id,
    seed: data.seed,
    map: name,
    startWallMs: Date.parse(data.start),
    weather: weatherCurve(data.weather, fault),
    ego:
      ego === undefined
        ? null
        : {
            typeId: `vehicle.drivemcp.${ego.vehicle}`,
            roleName: 'hero',
            place: spawnOf(ego.spawn, ['ego', 'spawn']),
            vMps: ego.speed_mps,
            speedFactor: ego.speed_factor,
            script: [],
            brain: ego.brain,
          },
    vehicles: data.vehicles.map((vehicle, i) => {
      const at = ['vehicles', i];
      const place = spawnOf(vehicle.spawn, [...at, 'spawn']);
      return {
        typeId: `vehicle.drivemcp.${vehicle.vehicle}`,
        roleName: vehicle.role,
        place,
        vMps: vehicle.speed_mps,
        speedFactor: vehicle.speed_factor,
        script: vehicle.script.map((step) => toEvent(step, laneWidthAt(map, place))),
        isScriptInOrder: vehicle.script_order === 'listed',
      };
    }),
    walkers: data.walkers.map((walker, i) => ({
      from: pointOf(map, walker.from, ['walkers', i, 'from'], fault),
      to: pointOf(map, walker.to, ['walkers', i, 'to'], fault),
      speedMps: walker.speed_mps,
      whenEgoWithinM: walker.when_ego_within_m ?? null,
      whenEgoWithinS: walker.when_ego_within_s ?? null,
      notBeforeS: walker.not_before_s,
      when: toTrigger(walker.when),
      roleName: walker.role,
    })),
    displays: data.gantries.flatMap(({ signals: ids, shows }, i) =>
      ids.map((signalId, k) => {
        const at = ['gantries', i, 'signals', k];
        const signal = signals.get(signalId);
        if (signal === undefined) throw fault(at, `the map has no signal ${signalId}`);
        if (!signal.isDynamic) throw fault(at, `signal ${signalId} is not dynamic: it cannot change`);
        const late = shows.findIndex(({ from_s }, n) => n > 0 && from_s <= (shows[n - 1]?.from_s ?? 0));
        if (late > 0) throw fault(['gantries', i, 'shows', late, 'from_s'], 'times have to rise');
        return {
          signalId,
          shows: shows.map(({ from_s, value, plate }) => ({
            fromS: from_s,
            value: value === 'off' ? null : value,
            plate: plate ?? null,
          })),
        };
      }),
    ),
    faults: data.can_faults.map(toFault),
  };
}

type StepData = ScenarioData['vehicles'][number]['script'][number];

function toEvent(step: StepData, laneM: number): ScriptEvent {
  const when = {
    atS: step.at_s,
    whenEgoWithinM: step.when_ego_within_m ?? null,
    when: toTrigger(step.when),
  };
  switch (step.do) {
    case 'speed':
      return { ...when, step: { kind: 'speed', toMps: step.to_mps, rateMps2: step.accel_mps2 } };
    case 'brake_to':
      return { ...when, step: { kind: 'speed', toMps: step.to_mps, rateMps2: step.decel_mps2 } };
    case 'stop':
      return { ...when, step: { kind: 'speed', toMps: 0, rateMps2: step.decel_mps2 } };
    case 'cut_in': {
      const byM = (step.by_m ?? laneM) * (step.to === 'left' ? 1 : -1);
      return { ...when, step: { kind: 'aside', byM, durationS: step.duration_s } };
    }
    case 'follow':
      return { ...when, step: { kind: 'follow' } };
  }
}

function roadOf(map: OpenDriveMap, id: string | number, sM: number, at: At, fault: Fault) {
  const road = map.roads.get(String(id));
  if (road === undefined) throw fault([...at, 'road'], `the map has no road ${id}`);
  if (sM > road.lengthM)
    throw fault([...at, 's_m'], `road ${id} is ${road.lengthM.toFixed(1)} m long, not ${sM} m`);
  return road;
}

function pointOf(map: OpenDriveMap, place: ScenarioData['walkers'][number]['from'], at: At, fault: Fault) {
  if ('x_m' in place) return { x: place.x_m, y: place.y_m };
  const road = roadOf(map, place.road, place.s_m, at, fault);
  const { x, y } = poseAside(road, place.s_m, place.t_m + laneCentreM(road, 0, place.s_m));
  return { x, y };
}

/** Vehicles that stand in each other at the start have no place in the file. */
function mustHaveRoom(scenario: WorldScenario, map: OpenDriveMap, fault: Fault): void {
  const world = new SimWorld(scenario, map);
  const standing = [...world.actors.values()].filter(({ kind }) => kind === 'vehicle');
  const ego = scenario.ego === null ? 0 : 1;
  for (const [i, one] of standing.entries())
    if (standing.slice(0, i).some((other) => overlaps(one, other)))
      throw fault(['vehicles', i - ego, 'spawn'], 'another vehicle stands there');
}
