/**
 * A scenario of ours as OpenSCENARIO 1.0 in CARLA's left-handed convention. What OpenSCENARIO has no words for travels in
 * properties, parameters and custom commands, so that it comes back; other programs read over it. What cannot be said at all
 * is listed.
 */

import type { OpenDriveMap } from '../../opendrive/map.js';
import type { Trigger, TriggerCondition } from '../../sim/world/trigger.js';
import type { ScriptEvent, VehicleSpawn, WorldScenario } from '../../sim/world/world-scenario.js';
import { laneWidthAt } from '../lane-width.js';
import type { StopRule } from '../stop-rule.js';
import { egoName, entityNames } from './entity-names.js';
import { ownParameters } from './own-words.js';
import { begins, faultAction, group, longitudinally, privately, signal, speed } from './write-actions.js';
import { writePedestrian, writeVehicle } from './write-entities.js';
import { writeEnvironment } from './write-environment.js';
import { writeStop } from './write-stop.js';
import { type EntityOf, worldPosition, writeTrigger } from './write-trigger.js';
import { writeXml, type XmlNode, xml } from './xml-text.js';

export interface ExportWish {
  readonly world: WorldScenario;
  readonly family: string;
  readonly title: string;
  readonly stop: StopRule;
  /** as it is to stand in the file: a bundled map's name, or the path of an OpenDRIVE file */
  readonly mapName: string;
  /** ISO 8601, for the header */
  readonly date: string;
  readonly map: OpenDriveMap;
}

export interface Exported {
  readonly text: string;
  /** what another program, or this one, does not find in it */
  readonly notes: readonly string[];
}

export function exportScenario(wish: ExportWish): Exported {
  const { world, family, title, stop, mapName, date } = wish;
  const notes: string[] = [];
  const names = entityNames(world);
  const entityOf =
    (self: string): EntityOf =>
    (name) =>
      name === 'self' ? self : name === 'ego' ? egoName : (names.byRole.get(name) ?? name);
  const declared = [
    [ownParameters.id, 'string', world.id],
    [ownParameters.family, 'string', family],
    [ownParameters.seed, 'integer', String(world.seed)],
  ] as const;
  const root = xml(
    'OpenSCENARIO',
    {},
    xml('FileHeader', {
      revMajor: 1,
      revMinor: 0,
      date,
      description: `CARLA:${title}`,
      author: 'drivemcp',
    }),
    xml(
      'ParameterDeclarations',
      {},
      ...declared.map(([name, parameterType, value]) =>
        xml('ParameterDeclaration', { name, parameterType, value }),
      ),
    ),
    xml('CatalogLocations'),
    xml('RoadNetwork', {}, xml('LogicFile', { filepath: mapName }), xml('SceneGraphFile', { filepath: '' })),
    xml('Entities', {}, ...entities()),
    xml(
      'Storyboard',
      {},
      xml('Init', {}, xml('Actions', {}, ...initial())),
      xml(
        'Story',
        { name: world.id },
        xml('Act', { name: 'all' }, ...groups(), writeTrigger('StartTrigger', [[]], entityOf(egoName))),
      ),
      writeStop(stop, wish.map, entityOf(egoName)),
    ),
  );
  return { text: writeXml(root), notes };

  function entities(): XmlNode[] {
    const { ego } = world;
    return [
      ...(ego === null ? [] : [writeVehicle(egoName, ego, { type: 'ego_vehicle', brain: ego.brain })]),
      ...world.vehicles.map((spawn, i) =>
        writeVehicle(names.vehicles[i] as string, spawn, { type: 'simulation' }),
      ),
      ...names.walkers.map(writePedestrian),
    ];
  }

  function initial(): XmlNode[] {
    const first = world.weather[0];
    const shows = world.displays.flatMap(({ signalId, shows: all }) =>
      all.filter(({ fromS }) => fromS === 0).map((show) => xml('GlobalAction', {}, signal(signalId, show))),
    );
    return [
      ...(first === undefined
        ? []
        : [xml('GlobalAction', {}, writeEnvironment(first, world.startWallMs, 'weather at 0 s'))]),
      ...shows,
      ...(world.ego === null ? [] : [begins(egoName, world.ego, world.ego.brain === 'client')]),
      ...world.vehicles.map((spawn, i) => begins(names.vehicles[i] as string, spawn, false)),
      ...world.walkers.map(({ from, to }, i) =>
        xml(
          'Private',
          { entityRef: names.walkers[i] as string },
          privately(xml('TeleportAction', {}, worldPosition(from, Math.atan2(to.y - from.y, to.x - from.x)))),
          privately(xml('LongitudinalAction', {}, speed(0, 'step', 0))),
        ),
      ),
    ];
  }

  function groups(): XmlNode[] {
    const timed = [
      ...world.weather.slice(1).map((point) => ({
        name: `weather at ${point.tS} s`,
        atS: point.tS,
        action: xml(
          'GlobalAction',
          {},
          writeEnvironment(
            point,
            world.startWallMs + Math.round(point.tS * 1000),
            `weather at ${point.tS} s`,
          ),
        ),
      })),
      ...world.displays.flatMap(({ signalId, shows }) =>
        shows
          .filter(({ fromS }) => fromS > 0)
          .map((show) => ({
            name: `${signalId} at ${show.fromS} s`,
            atS: show.fromS,
            action: xml('GlobalAction', {}, signal(signalId, show)),
          })),
      ),
      ...(world.faults ?? []).map((fault) => ({
        name: `fault at ${fault.atS} s`,
        atS: fault.atS,
        action: faultAction(fault),
      })),
    ];
    return [
      ...(timed.length === 0
        ? []
        : [
            group(
              'the world',
              [],
              timed.map(({ name, atS, action }) =>
                event(name, action, [[{ kind: 'time', rule: 'above', valueS: atS }]], egoName),
              ),
            ),
          ]),
      ...world.vehicles.flatMap((spawn, i) => scriptOf(spawn, names.vehicles[i] as string)),
      ...world.walkers.map((walker, i) => walkOf(walker, names.walkers[i] as string)),
    ];
  }

  function scriptOf(spawn: VehicleSpawn, name: string): XmlNode[] {
    if (spawn.script.length === 0) return [];
    const isInOrder = spawn.isScriptInOrder ?? true;
    let latestS = 0;
    let waits = false;
    const events = spawn.script.map((step, i) => {
      // In order: no step before those ahead of it. Where they begin by anything but the time that cannot be said.
      if (isInOrder && waits)
        notes.push(`${name}: step ${i + 1} waits for the one before it, which OpenSCENARIO is not told`);
      if (isInOrder) latestS = Math.max(latestS, step.atS);
      waits ||= step.whenEgoWithinM !== null || step.when !== undefined;
      const atS = isInOrder ? latestS : step.atS;
      return event(`step ${i + 1}`, stepAction(step, spawn, name), triggerOf(step, atS), name);
    });
    return [group(name, [name], events)];
  }

  function walkOf(walker: WorldScenario['walkers'][number], name: string): XmlNode {
    const { from, to, speedMps, notBeforeS, whenEgoWithinM, whenEgoWithinS, when } = walker;
    const near: TriggerCondition[][] = [
      ...(whenEgoWithinM === null
        ? []
        : [
            [
              {
                kind: 'distance',
                of: 'self',
                to: 'ego',
                rule: 'below',
                valueM: whenEgoWithinM,
                along: 'straight',
                isFree: false,
              } as const,
            ],
          ]),
      ...(whenEgoWithinS === null
        ? []
        : [
            [
              {
                kind: 'headway',
                of: 'ego',
                to: 'self',
                rule: 'below',
                valueS: whenEgoWithinS,
                isFree: false,
              } as const,
            ],
          ]),
    ];
    const base: TriggerCondition[] =
      notBeforeS > 0 ? [{ kind: 'time', rule: 'above', valueS: notBeforeS }] : [];
    const either = near.length === 0 ? [[]] : near;
    const trigger = (when ?? [[]]).flatMap((all) => either.map((one) => [...base, ...one, ...all]));
    const wayM = Math.hypot(to.x - from.x, to.y - from.y);
    return group(
      name,
      [name],
      [
        event('walks', longitudinally(speed(speedMps, 'step', 0)), trigger, name),
        event(
          'stands again',
          longitudinally(speed(0, 'step', 0)),
          [[{ kind: 'travelled', of: 'self', rule: 'above', valueM: Math.round(wayM * 1e6) / 1e6 }]],
          name,
        ),
      ],
    );
  }

  function event(name: string, action: XmlNode, trigger: Trigger, self: string): XmlNode {
    return xml(
      'Event',
      { name, priority: 'overwrite' },
      xml('Action', { name }, action),
      writeTrigger('StartTrigger', trigger, entityOf(self)),
    );
  }

  function stepAction({ step }: ScriptEvent, spawn: VehicleSpawn, name: string): XmlNode {
    if (step.kind === 'speed') return longitudinally(speed(step.toMps, 'linear', step.rateMps2));
    if (step.kind === 'follow')
      return privately(
        xml('ControllerAction', {}, xml('ActivateControllerAction', { longitudinal: true, lateral: true })),
      );
    const widthM = laneWidthAt(wish.map, spawn.place);
    const lanes = Math.max(1, Math.round(Math.abs(step.byM) / widthM)) * Math.sign(step.byM);
    const offsetM = step.byM - lanes * widthM;
    return privately(
      xml(
        'LateralAction',
        {},
        xml(
          'LaneChangeAction',
          { targetLaneOffset: Math.abs(offsetM) < 1e-9 ? 0 : offsetM },
          xml('LaneChangeActionDynamics', {
            dynamicsShape: 'sinusoidal',
            value: step.durationS,
            dynamicsDimension: 'time',
          }),
          xml('LaneChangeTarget', {}, xml('RelativeTargetLane', { entityRef: name, value: lanes })),
        ),
      ),
    );
  }
}

function triggerOf({ whenEgoWithinM, when }: ScriptEvent, atS: number): Trigger {
  const base: TriggerCondition[] = [
    ...(atS > 0 ? [{ kind: 'time', rule: 'above', valueS: atS } as const] : []),
    ...(whenEgoWithinM === null
      ? []
      : [
          {
            kind: 'distance',
            of: 'self',
            to: 'ego',
            rule: 'below',
            valueM: whenEgoWithinM,
            along: 'straight',
            isFree: false,
          } as const,
        ]),
  ];
  return (when ?? [[]]).map((all) => [...base, ...all]);
}
