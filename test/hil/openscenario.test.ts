/** OpenSCENARIO in and out: what comes back is the same world, what is not taken over is named, and triggers mean what they say. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { stringify } from 'yaml';
import { bundledScenarioNames, loadScenario } from '../../daemon/cli/scenario-files.js';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { readOpenDrive } from '../../hil/opendrive/read-map.js';
import { exportScenario } from '../../hil/scenarios/openscenario/export-scenario.js';
import { importScenario } from '../../hil/scenarios/openscenario/import-scenario.js';
import { readScenario } from '../../hil/scenarios/scenario-file.js';
import { stopReason } from '../../hil/scenarios/stop-rule.js';
import { mapText } from '../../hil/sim/maps/map-catalogue.js';
import type { VehicleActor } from '../../hil/sim/world/actor.js';
import { SimWorld } from '../../hil/sim/world/sim-world.js';
import { isTriggered, type TriggerCondition, type TriggerView } from '../../hil/sim/world/trigger.js';
import type { WorldScenario } from '../../hil/sim/world/world-scenario.js';
import { drivemcp } from '../helpers/command.js';
import { mapWorld } from './map-world.js';

const readMap = (name: string) => readOpenDrive(mapText(name), name);

function imported(text: string, file = 'test.xosc') {
  const { data, findings } = importScenario({ file, text, id: 'test', map: null, readMap });
  const read = readScenario({ file: 'test.yaml', text: stringify(data), readMap: (name) => mapText(name) });
  return { ...read, data, findings };
}

/** Where everybody is, every second. */
function course(scenario: WorldScenario, seconds: number): string {
  const world = new SimWorld(scenario, readMap(scenario.map));
  const hash = createHash('sha256');
  for (let i = 1; i <= seconds * 20; i++) {
    world.step(0.05);
    if (i % 20 !== 0) continue;
    for (const { pose, vMps } of world.actors.values())
      hash.update([pose.x, pose.y, pose.headingRad, vMps].map((value) => value.toFixed(3)).join());
    hash.update(JSON.stringify([...world.displays()]));
    hash.update(JSON.stringify(world.weather.at(world.tS)));
  }
  return hash.digest('hex');
}

t.test('every bundled scenario comes back as the same world', async (t) => {
  for (const name of bundledScenarioNames()) {
    const { world, family, title, stop, map } = await loadScenario(name);
    const { text, notes } = exportScenario({
      world,
      family,
      title,
      stop,
      mapName: world.map,
      date: '2026-05-18T08:00:00Z',
      map,
    });
    t.same(notes, [], `${name}: all of it can be said`);
    const back = imported(text);
    t.same(back.findings, [], name);
    t.same([back.world.id, back.family, back.title, back.world.seed], [world.id, family, title, world.seed]);
    t.same(back.stop, stop, `${name}: stop`);
    t.same(back.world.faults, world.faults);
    t.equal(back.world.startWallMs, world.startWallMs);
    t.equal(course(back.world, 40), course(world, 40), `${name}: forty seconds`);
  }
});

/** A file as CARLA's users write them, by hand: left-handed, with world positions. */
const cutIn = (change: (text: string) => string = (text) => text): string =>
  change(`<?xml version="1.0"?>
<OpenSCENARIO>
  <FileHeader revMajor="1" revMinor="0" date="2026-01-01T00:00:00" description="CARLA:Somebody cuts in" author="test"/>
  <ParameterDeclarations>
    <ParameterDeclaration name="gap" parameterType="double" value="25"/>
  </ParameterDeclarations>
  <CatalogLocations/>
  <RoadNetwork><LogicFile filepath="motorway-deu"/><SceneGraphFile filepath=""/></RoadNetwork>
  <Entities>
    <ScenarioObject name="me">
      <Vehicle name="vehicle.lincoln.mkz_2017" vehicleCategory="car">
        <Properties><Property name="type" value="ego_vehicle"/></Properties>
      </Vehicle>
    </ScenarioObject>
    <ScenarioObject name="adversary"><Vehicle name="a truck" vehicleCategory="truck"/></ScenarioObject>
  </Entities>
  <Storyboard>
    <Init>
      <Actions>
        <GlobalAction>
          <EnvironmentAction>
            <Environment name="wet">
              <TimeOfDay animation="false" dateTime="2026-03-01T18:30:00"/>
              <Weather cloudState="overcast">
                <Sun intensity="0.2" azimuth="0" elevation="0.5"/>
                <Fog visualRange="400"/>
                <Precipitation precipitationType="rain" intensity="0.6"/>
              </Weather>
              <RoadCondition frictionScaleFactor="1.0"/>
            </Environment>
          </EnvironmentAction>
        </GlobalAction>
        <GlobalAction><InfrastructureAction><TrafficSignalAction>
          <TrafficSignalStateAction name="gantry-1-1" state="80 wet"/>
        </TrafficSignalAction></InfrastructureAction></GlobalAction>
        <Private entityRef="me">
          <PrivateAction><TeleportAction><Position>
            <LanePosition roadId="1" laneId="-3" offset="0" s="50"/>
          </Position></TeleportAction></PrivateAction>
          <PrivateAction><ControllerAction>
            <AssignControllerAction><Controller name="c"><Properties>
              <Property name="module" value="external_control"/>
            </Properties></Controller></AssignControllerAction>
            <OverrideControllerValueAction><Throttle value="0" active="false"/></OverrideControllerValueAction>
          </ControllerAction></PrivateAction>
        </Private>
        <Private entityRef="adversary">
          <PrivateAction><TeleportAction><Position>
            <WorldPosition x="AX" y="AY" z="0" h="AH"/>
          </Position></TeleportAction></PrivateAction>
          <PrivateAction><LongitudinalAction><SpeedAction>
            <SpeedActionDynamics dynamicsShape="step" value="0" dynamicsDimension="time"/>
            <SpeedActionTarget><AbsoluteTargetSpeed value="20"/></SpeedActionTarget>
          </SpeedAction></LongitudinalAction></PrivateAction>
        </Private>
      </Actions>
    </Init>
    <Story name="s"><Act name="a">
      <ManeuverGroup maximumExecutionCount="1" name="g">
        <Actors selectTriggeringEntities="false"><EntityRef entityRef="adversary"/></Actors>
        <Maneuver name="m">
          <Event name="slower" priority="overwrite">
            <Action name="brakes"><PrivateAction><LongitudinalAction><SpeedAction>
              <SpeedActionDynamics dynamicsShape="linear" value="5" dynamicsDimension="time"/>
              <SpeedActionTarget><AbsoluteTargetSpeed value="10"/></SpeedActionTarget>
            </SpeedAction></LongitudinalAction></PrivateAction></Action>
            <StartTrigger><ConditionGroup>
              <Condition name="t" delay="0" conditionEdge="rising"><ByEntityCondition>
                <TriggeringEntities triggeringEntitiesRule="any"><EntityRef entityRef="me"/></TriggeringEntities>
                <EntityCondition><TimeToCollisionCondition value="4" freespace="true" alongRoute="false" rule="lessThan">
                  <TimeToCollisionConditionTarget><EntityRef entityRef="adversary"/></TimeToCollisionConditionTarget>
                </TimeToCollisionCondition></EntityCondition>
              </ByEntityCondition></Condition>
            </ConditionGroup></StartTrigger>
          </Event>
          <Event name="cuts in" priority="overwrite">
            <Action name="changes"><PrivateAction><LateralAction><LaneChangeAction>
              <LaneChangeActionDynamics dynamicsShape="cubic" value="60" dynamicsDimension="distance"/>
              <LaneChangeTarget><RelativeTargetLane entityRef="adversary" value="-1"/></LaneChangeTarget>
            </LaneChangeAction></LateralAction></PrivateAction></Action>
            <StartTrigger>
              <ConditionGroup><Condition name="near" delay="0" conditionEdge="none"><ByEntityCondition>
                <TriggeringEntities triggeringEntitiesRule="any"><EntityRef entityRef="me"/></TriggeringEntities>
                <EntityCondition><RelativeDistanceCondition entityRef="adversary" relativeDistanceType="longitudinal" value="$gap" freespace="false" rule="lessThan"/></EntityCondition>
              </ByEntityCondition></Condition></ConditionGroup>
              <ConditionGroup><Condition name="late" delay="0" conditionEdge="none"><ByValueCondition>
                <SimulationTimeCondition value="30" rule="greaterThan"/>
              </ByValueCondition></Condition></ConditionGroup>
            </StartTrigger>
          </Event>
        </Maneuver>
      </ManeuverGroup>
      <StartTrigger><ConditionGroup><Condition name="go" delay="0" conditionEdge="none"><ByEntityCondition>
        <TriggeringEntities triggeringEntitiesRule="any"><EntityRef entityRef="me"/></TriggeringEntities>
        <EntityCondition><TraveledDistanceCondition value="1"/></EntityCondition>
      </ByEntityCondition></Condition></ConditionGroup></StartTrigger>
    </Act></Story>
    <StopTrigger><ConditionGroup><Condition name="end" delay="0" conditionEdge="none"><ByValueCondition>
      <SimulationTimeCondition value="60" rule="greaterThan"/>
    </ByValueCondition></Condition></ConditionGroup></StopTrigger>
  </Storyboard>
</OpenSCENARIO>
`);

/** The middle of lane −2 of the motorway at 80 m, in CARLA's axes. */
function leftLane(): (text: string) => string {
  const world = mapWorld('motorway-deu', {
    vehicles: [
      {
        typeId: 'vehicle.drivemcp.van',
        roleName: 'x',
        place: { road: '1', lane: -2, sM: 80 },
        vMps: 0,
        speedFactor: 1,
        script: [],
      },
    ],
  });
  const { pose } = [...world.actors.values()].find(({ kind }) => kind === 'vehicle') as VehicleActor;
  return (text) =>
    text.replace('AX', String(pose.x)).replace('AY', String(-pose.y)).replace('AH', String(-pose.headingRad));
}

t.test('a file written by hand for CARLA: axes, parameters, controllers, weather, signals, triggers', (t) => {
  const read = imported(cutIn(leftLane()));
  t.same(
    read.findings.map(({ element, message }) => [element, message]),
    [],
  );
  t.equal(read.title, 'Somebody cuts in');
  const { ego, vehicles, weather, displays, startWallMs } = read.world;
  t.match(ego, {
    place: { road: '1', lane: -3, sM: 50 },
    brain: 'client',
    typeId: 'vehicle.drivemcp.estate',
  });
  const [adversary] = vehicles;
  t.match(adversary, { typeId: 'vehicle.drivemcp.lorry', vMps: 20, roleName: 'adversary' });
  t.equal(adversary?.place.lane, -2, 'left-handed: y is mirrored');
  t.ok(Math.abs((adversary?.place.sM ?? 0) - 80) < 0.01);
  t.match(weather[0]?.weather, { precipitation: 60, cloudiness: 85, fogDensity: 60, wetness: 60 });
  t.ok(Math.abs((weather[0]?.weather.sunAltitudeDeg ?? 0) - 28.65) < 0.01, 'radians');
  t.equal(new Date(startWallMs).toISOString(), '2026-03-01T18:30:00.000Z');
  t.same(displays, [{ signalId: 'gantry-1-1', shows: [{ fromS: 0, value: 80, plate: 'wet' }] }]);
  const [slower, change] = adversary?.script ?? [];
  t.equal(adversary?.isScriptInOrder, false, 'events are on their own');
  t.match(slower?.step, { kind: 'speed', toMps: 10, rateMps2: 2 }, '10 m/s less in 5 s');
  const travelled = { kind: 'travelled', of: 'ego', rule: 'above', valueM: 1 };
  t.same(slower?.when, [
    [travelled, { kind: 'ttc', of: 'ego', to: 'self', rule: 'below', valueS: 4, isFree: true }],
  ]);
  t.match(change?.step, { kind: 'aside', byM: -3.75, durationS: 6 }, '60 m at 10 m/s, to the right');
  t.same(change?.when, [
    [
      travelled,
      { kind: 'distance', of: 'ego', to: 'self', rule: 'below', valueM: 25, along: 'along', isFree: false },
    ],
    [travelled, { kind: 'time', rule: 'above', valueS: 30 }],
  ]);
  t.equal(read.stop.atS, 60);
  const right = imported(cutIn(leftLane()).replace('CARLA:', ''));
  t.equal(right.world.vehicles[0]?.place.lane, 2, 'right-handed the same place is across the barrier');
  t.match(right.findings[0], { element: 'Position', message: /faces against its lane/ });
  t.end();
});

t.test('somebody who crosses: position, way and trigger', (t) => {
  const text = cutIn(leftLane())
    .replace('motorway-deu', 'town-deu')
    .replace(
      '<ScenarioObject name="adversary"><Vehicle name="a truck" vehicleCategory="truck"/></ScenarioObject>',
      '<ScenarioObject name="adversary"><Pedestrian name="p" model="walker" mass="80" pedestrianCategory="pedestrian"/></ScenarioObject>',
    )
    .replace('laneId="-3"', 'laneId="-1"')
    .replace(/<GlobalAction><InfrastructureAction>[\s\S]*?<\/GlobalAction>/, '')
    .replace(/<AbsoluteTargetSpeed value="20"\/>/, '<AbsoluteTargetSpeed value="0"/>')
    .replace(/<Action name="changes">[\s\S]*?<\/Action>/, walk(0))
    .replace(/<Action name="brakes">[\s\S]*?<\/Action>/, walk(1.5))
    .replace(
      /<StartTrigger>\s*<ConditionGroup><Condition name="near"[\s\S]*?<\/StartTrigger>/,
      `<StartTrigger><ConditionGroup><Condition name="w" delay="0" conditionEdge="none"><ByEntityCondition>
        <TriggeringEntities triggeringEntitiesRule="any"><EntityRef entityRef="adversary"/></TriggeringEntities>
        <EntityCondition><TraveledDistanceCondition value="8"/></EntityCondition>
      </ByEntityCondition></Condition></ConditionGroup></StartTrigger>`,
    );
  const { world, findings } = imported(text);
  t.same(findings, []);
  const [walker] = world.walkers;
  t.match(walker, { speedMps: 1.5, roleName: 'adversary' });
  const { from, to } = walker as NonNullable<typeof walker>;
  t.ok(Math.abs(Math.hypot(to.x - from.x, to.y - from.y) - 8) < 0.01, 'eight metres');
  t.match(walker?.when, [[{ kind: 'travelled' }, { kind: 'ttc', of: 'ego', to: 'self' }]]);
  t.end();
});

const walk = (toMps: number): string =>
  `<Action name="w"><PrivateAction><LongitudinalAction><SpeedAction>
    <SpeedActionDynamics dynamicsShape="step" value="0" dynamicsDimension="time"/>
    <SpeedActionTarget><AbsoluteTargetSpeed value="${toMps}"/></SpeedActionTarget>
  </SpeedAction></LongitudinalAction></PrivateAction></Action>`;

t.test('what is not taken over is named with line and column, and the rest is there', (t) => {
  const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;
  for (const [from, to, element, message] of [
    [
      '<RelativeTargetLane entityRef="adversary" value="-1"/>',
      '<RelativeTargetLane entityRef="adversary" value="0"/>',
      'LaneChangeAction',
      /a change by 0 lanes/,
    ],
    [
      '<AbsoluteTargetSpeed value="10"/>',
      '<RelativeTargetSpeed entityRef="me" value="1" speedTargetValueType="factor" continuous="false"/>',
      'RelativeTargetSpeed',
      /absolute/,
    ],
    ['<CatalogLocations/>', '<CatalogLocations/><Monitors/>', 'Monitors', /not supported in <OpenSCENARIO>/],
    ['frictionScaleFactor="1.0"', 'frictionScaleFactor="0.4"', 'RoadCondition', /follows from the weather/],
    ['precipitationType="rain"', 'precipitationType="snow"', 'Precipitation', /snow/],
    ['state="80 wet"', 'state="TrafficSignalState=red"', 'TrafficSignalStateAction', /number or off/],
    ['vehicleCategory="truck"', 'vehicleCategory="tram"', 'Vehicle', /hatchback stands for it/],
    ['conditionEdge="rising"', 'conditionEdge="falling"', 'Condition', /never begins/],
    ['<Condition name="t" delay="0"', '<Condition name="t" delay="2"', 'Condition', /delay/],
    [
      '<Throttle value="0" active="false"/>',
      '<Throttle value="0" active="true"/>',
      'Throttle',
      /not overridden/,
    ],
    ['dynamicsShape="linear"', 'dynamicsShape="sinusoidal"', 'SpeedActionDynamics', /linearly/],
    [
      '<TraveledDistanceCondition value="1"/>',
      '<AccelerationCondition value="1" rule="greaterThan"/>',
      'AccelerationCondition',
      /not supported/,
    ],
    [
      '<LanePosition roadId="1" laneId="-3" offset="0" s="50"/>',
      '<RoutePosition/>',
      'RoutePosition',
      /positions are read as/,
    ],
  ] as const) {
    const text = cutIn(leftLane()).replace(from, to);
    const { findings } = importScenario({ file: 'test.xosc', text, id: 'test', map: null, readMap });
    const found = findings.find((one) => one.element === element && message.test(one.message));
    t.ok(found, `${element}: ${JSON.stringify(findings)}`);
    // An attribute's element begins on its line, the lane change two lines above its target.
    const line = lineOf(text, to) - (element === 'LaneChangeAction' ? 2 : 0);
    t.equal(found?.line, line, `${element}: line`);
    t.ok((found?.column ?? 0) > 0);
  }
  t.end();
});

t.test('damaged files are refused with their place, or read; never anything else', (t) => {
  const whole = cutIn(leftLane());
  const refused = (text: string): { code: string; line: number | undefined } => {
    try {
      imported(text);
    } catch (error) {
      if (error instanceof DriveMcpError) return { code: error.code, line: error.location?.line };
      throw error;
    }
    return { code: 'read', line: undefined };
  };
  t.same(refused('<OpenDRIVE/>'), { code: 'SCENARIO_INVALID', line: 1 });
  t.equal(refused(whole.replace('revMajor="1"', 'revMajor="2"')).code, 'SCENARIO_INVALID');
  t.equal(refused(whole.replace('value="$gap"', 'value="$nothing"')).code, 'SCENARIO_INVALID');
  t.equal(refused(whole.replace('value="$gap"', 'value="far"')).code, 'SCENARIO_INVALID');
  t.equal(refused(whole.replace('roadId="1"', 'roadId="99"')).code, 'SCENARIO_INVALID');
  t.equal(
    refused(whole.replace('entityRef="me"/></TriggeringEntities>', 'entityRef="who"/></TriggeringEntities>'))
      .code,
    'SCENARIO_INVALID',
  );
  const codes = new Set<string>();
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(60), fc.string({ maxLength: 8 }), (at, cut, put) => {
      codes.add(refused(whole.slice(0, at) + put + whole.slice(at + cut)).code);
    }),
    { numRuns: 300 },
  );
  t.same(
    [...codes].filter((code) => !['read', 'SCENARIO_INVALID', 'MAP_INVALID'].includes(code)),
    [],
  );
  t.end();
});

t.test('triggers: each condition against a world that is known', (t) => {
  const at = (x: number, y: number, headingRad: number, vMps: number, id: number) =>
    ({
      kind: 'vehicle',
      id,
      roleName: `car ${id}`,
      typeId: '',
      size: { lengthM: 4, widthM: 2, heightM: 1.5 },
      pose: { x, y, z: 0, headingRad },
      vMps,
      axMps2: 0,
      yawRateRadps: 0,
      brain: 'traffic',
      lightFlags: 0,
      track: null,
    }) as unknown as VehicleActor;
  const self = at(0, 0, 0, 20, 1);
  const other = at(30, 3, 0, 10, 2);
  const view: TriggerView = {
    tS: 12,
    entity: (name) => (name === 'self' ? self : name === 'other' ? other : null),
    travelledM: () => 100,
    standingS: () => 3,
  };
  const holds = (condition: TriggerCondition): boolean => isTriggered([[condition]], self, view);
  const pair = { of: 'self', to: 'other', isFree: false } as const;
  const apartM = Math.hypot(30, 3);
  for (const [condition, value] of [
    [(valueS: number) => ({ kind: 'time', rule: 'below', valueS }) as const, 12],
    [
      (valueM: number) => ({ kind: 'distance', ...pair, rule: 'below', valueM, along: 'straight' }) as const,
      apartM,
    ],
    [(valueM: number) => ({ kind: 'distance', ...pair, rule: 'below', valueM, along: 'along' }) as const, 30],
    [(valueM: number) => ({ kind: 'distance', ...pair, rule: 'below', valueM, along: 'across' }) as const, 3],
    [
      (valueM: number) =>
        ({ kind: 'distance', ...pair, isFree: true, rule: 'below', valueM, along: 'along' }) as const,
      26,
    ],
    [(valueS: number) => ({ kind: 'headway', ...pair, rule: 'below', valueS }) as const, apartM / 20],
    [
      (valueS: number) => ({ kind: 'ttc', ...pair, rule: 'below', valueS }) as const,
      apartM / ((10 * 30) / apartM),
    ],
    [(valueM: number) => ({ kind: 'travelled', of: 'self', rule: 'below', valueM }) as const, 100],
    [(valueMps: number) => ({ kind: 'speed', of: 'self', rule: 'below', valueMps }) as const, 20],
  ] as const) {
    t.ok(holds(condition(value * 1.001)), JSON.stringify(condition(value)));
    t.notOk(holds(condition(value * 0.999)), JSON.stringify(condition(value)));
    const above = { ...condition(value * 0.999), rule: 'above' } as TriggerCondition;
    t.ok(holds(above), 'above is the other side');
  }
  t.ok(holds({ kind: 'reach', of: 'self', at: { x: 1, y: 1 }, withinM: 1.5 }));
  t.notOk(holds({ kind: 'reach', of: 'self', at: { x: 1, y: 1 }, withinM: 1.4 }));
  t.ok(holds({ kind: 'standing', of: 'self', forS: 3 }));
  t.notOk(holds({ kind: 'speed', of: 'nobody', rule: 'below', valueMps: 99 }), 'about nobody nothing holds');
  const backwards = { ...pair, of: 'other', to: 'self' } as const;
  t.ok(holds({ kind: 'ttc', ...backwards, rule: 'above', valueS: 3 }), 'of either the same');
  t.ok(isTriggered([[], []], self, view), 'no condition always holds');
  t.notOk(isTriggered([], self, view), 'no alternative never does');
  t.end();
});

t.test('a stop by the way that the ego has gone, in the units of the way', async (t) => {
  const { world: scenario, map } = await loadScenario('border');
  const world = new SimWorld(scenario, map);
  const rule = { atS: 60, onCollision: false, egoAt: null, egoTravelledM: 200 };
  while (stopReason(world, rule) === null) world.step(0.05);
  t.equal(stopReason(world, rule), 'distance');
  t.ok(world.tS > 6 && world.tS < 12, `${world.tS} s for 200 m`);
});

t.test('the commands: out, in, refused without --partial, never over a file by default', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'xosc-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const run = (...args: string[]) => drivemcp(['hil', 'scenario', ...args], { cwd: folder });
  t.match(await run('export', 'gantries', '--map-out', 'm.xodr'), {
    code: 0,
    stdout: /gantries.xosc: Motorway/,
  });
  t.match(
    readFileSync(join(folder, 'gantries.xosc'), 'utf8'),
    /TrafficSignalStateAction name="gantry-3-1" state="80 wet"/,
  );
  t.match(await run('export', 'gantries'), { code: 2, stderr: /is there already/ });
  t.match(await run('import', 'gantries.xosc', '--json', '--map', 'm.xodr'), { code: 0 });
  t.match(readFileSync(join(folder, 'gantries.yaml'), 'utf8'), /^map: m\.xodr$/m);
  t.match(await run('check', './gantries.yaml'), { code: 0, stdout: /8 vehicles/ });
  writeFileSync(
    join(folder, 'CutIn.xosc'),
    cutIn(leftLane()).replace('precipitationType="rain"', 'precipitationType="snow"'),
  );
  const refused = await run('import', 'CutIn.xosc');
  t.equal(refused.code, 78);
  t.match(refused.stderr, /CutIn\.xosc:27:17: <Precipitation>: snow/);
  t.match(refused.stderr, /1 part cannot be taken over/);
  const partial = await run('import', 'CutIn.xosc', '--partial', '--json');
  t.equal(partial.code, 0, partial.stderr);
  t.match(partial.objects(), [
    { event: 'left_out', element: 'Precipitation' },
    { event: 'imported', id: 'cut-in', left_out: 1 },
  ]);
  writeFileSync(join(folder, 'town.xosc'), cutIn(leftLane()).replace('motorway-deu', 'Town04'));
  t.match(await run('import', 'town.xosc'), { code: 78, stderr: /there is no map Town04 here/ });
  t.match(await run('check', 'gantries', '--out', 'x'), { code: 2, stderr: /goes with import or export/ });
});
