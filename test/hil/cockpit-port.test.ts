/** The cockpit port in process: what a vehicle HAL offers, refuses and tells; and the world that follows its switches. */
import fc from 'fast-check';
import t from 'tap';
import { loadScenario } from '../../daemon/cli/scenario-files.js';
import { noControl } from '../../hil/carla/wire/vehicle-control.js';
import { clearWeather, type WeatherParameters } from '../../hil/carla/wire/weather.js';
import type { CockpitPort, PropertyReading } from '../../hil/cockpit/port/cockpit-port.js';
import { warningLamp } from '../../hil/cockpit/port/drive-properties.js';
import { EgoCockpit } from '../../hil/cockpit/port/ego-cockpit.js';
import type { EgoMoment } from '../../hil/cockpit/port/ego-moment.js';
import { Subscriptions } from '../../hil/cockpit/port/subscriptions.js';
import { ServedEgoCockpit } from '../../hil/cockpit/served-ego.js';
import { refusalOf } from '../../hil/cockpit/vhal/property-config.js';
import {
  areaByName,
  areaName,
  areaTypeOf,
  isVendor,
  valueTypeOf,
} from '../../hil/cockpit/vhal/property-id.js';
import { cabinSeats } from '../../hil/cockpit/vhal/seats.js';
import { lightFlag, lightSwitch } from '../../hil/sim/cabin/lights.js';
import { wiperSwitch } from '../../hil/sim/cabin/wipers.js';
import { passengerCar, restingPlant, soundFaults } from '../../hil/sim/plant.js';
import { warmPowertrain } from '../../hil/sim/powertrain.js';
import { SimWorld } from '../../hil/sim/world/sim-world.js';

const powertrain = warmPowertrain(0);

function moment(
  tS: number,
  change: Partial<EgoMoment> = {},
  weather: Partial<WeatherParameters> = {},
): EgoMoment {
  return {
    tS,
    dtS: 0.05,
    vMps: 10,
    car: {
      model: passengerCar,
      plant: restingPlant(0, 10),
      powertrain,
      faults: soundFaults(passengerCar),
      odometerM: 1000,
    },
    control: noControl,
    weather: { ...clearWeather, sunAltitudeDeg: 45, ...weather },
    ambientC: 12,
    lightFlags: null,
    indicator: null,
    hasOthersAhead: false,
    ...change,
  };
}

const driven = (change: Partial<EgoMoment> = {}, weather: Partial<WeatherParameters> = {}): EgoCockpit => {
  const cockpit = new EgoCockpit({ people: 2, humidityPercent: null });
  cockpit.step(moment(0.05, change, weather));
  return cockpit;
};

const valueIn = (port: CockpitPort, prop: string, area?: number): unknown => {
  const found = port.get(prop, area);
  return 'status' in found ? found.status : found.value;
};

t.test('ids say what the properties are, areas have names', (t) => {
  const { port } = driven();
  const configs = port.configs();
  t.equal(new Set(configs.map(({ id }) => id)).size, configs.length);
  for (const config of configs) {
    const areaType = areaTypeOf(config.id);
    t.ok(areaType !== undefined && valueTypeOf(config.id) !== undefined, config.name);
    if (areaType === 'GLOBAL') t.same(config.areas, [0], config.name);
    for (const area of config.areas) t.equal(areaByName(config.id, areaName(config.id, area)), area);
    t.equal(port.config(config.id), port.config(config.name));
  }
  // Decimal ids as AOSP's documents and tools print them.
  const known: Record<string, number> = {
    PERF_VEHICLE_SPEED: 291504647,
    GEAR_SELECTION: 289408000,
    HVAC_TEMPERATURE_SET: 358614275,
    HVAC_FAN_SPEED: 356517120,
    HEADLIGHTS_SWITCH: 289410576,
    WINDSHIELD_WIPERS_SWITCH: 322964423,
    TIRE_PRESSURE: 392168201,
    WINDSHIELD_FOG: 593496322,
    CABIN_HUMIDITY: 559941889,
    ENV_OUTSIDE_TEMPERATURE: 291505923,
  };
  for (const [name, id] of Object.entries(known)) t.equal(port.config(name)?.id, id, name);
  t.ok(isVendor(known['WINDSHIELD_FOG'] ?? 0));
  t.equal(areaName(358614275, 0x75), 'ROW_2_RIGHT|ROW_2_CENTER|ROW_2_LEFT|ROW_1_RIGHT|ROW_1_LEFT');
  t.end();
});

t.test('whatever is set: done, or refused with a status, and never a value out of its range', (t) => {
  const { port } = driven();
  const names = port.configs().map(({ name }) => name);
  fc.assert(
    fc.property(
      fc.constantFrom(...names, 'NO_SUCH_PROPERTY'),
      fc.oneof(fc.constantFrom(0, 1, 2, 4, 0x10, 0x75), fc.nat(), fc.constant(undefined)),
      fc.oneof(fc.boolean(), fc.integer({ min: -5, max: 300 }), fc.double(), fc.string(), fc.constant([1])),
      (name, area, value) => {
        const config = port.config(name);
        const before = config === null ? [] : port.readingsOf(config).map((reading) => reading.value);
        const refused = port.set(name, area, value);
        if (refused !== null) {
          t.match(refused.status, /^(INVALID_ARG|ACCESS_DENIED|NOT_AVAILABLE_DISABLED)$/);
          t.ok(refused.message.length > 0);
          if (config !== null)
            t.same(
              port.readingsOf(config).map((reading) => reading.value),
              before,
              'nothing changed',
            );
          return;
        }
        if (config === null) throw new Error('an unknown property was set');
        const at = area ?? config.areas[0] ?? 0;
        t.equal(refusalOf(config, at, value), null);
        if (name === 'HVAC_POWER_ON' && value === false) port.set(name, at, true);
        else t.same(valueIn(port, name, at), value, `${name} reads back`);
      },
    ),
    { numRuns: 1000 },
  );
  t.end();
});

t.test('statuses of a vehicle HAL', (t) => {
  const { port } = driven();
  const status = (prop: string | number, area: number | undefined, value: unknown): unknown =>
    port.set(prop, area, value)?.status ?? 'OK';
  t.equal(status('PERF_VEHICLE_SPEED', 0, 3), 'ACCESS_DENIED', 'speed is read only');
  t.equal(status('GEAR_SELECTION', 0, 4), 'ACCESS_DENIED');
  t.equal(status('HVAC_FAN_SPEED', 0x1, 8), 'INVALID_ARG', 'range');
  t.equal(status('HVAC_FAN_SPEED', 0x1, 2.5), 'INVALID_ARG', 'type');
  t.equal(status('HVAC_FAN_SPEED', 0x1, true), 'INVALID_ARG', 'type');
  t.equal(status('HVAC_FAN_SPEED', 0x75, 3), 'INVALID_ARG', 'a zone is none of its areas');
  t.equal(status('HVAC_FAN_SPEED', undefined, 3), 'INVALID_ARG', 'which area?');
  t.equal(status('HEADLIGHTS_SWITCH', 0, 3), 'INVALID_ARG', 'no position of the switch');
  t.equal(status(0x12345678, 0, 3), 'INVALID_ARG');
  t.equal(status('HVAC_TEMPERATURE_SET', 0x1, 22.5), 'OK');
  t.equal(valueIn(port, 'HVAC_TEMPERATURE_SET', 0x4), 21, 'the other seat keeps its own');
  t.equal(status('HVAC_DUAL_ON', undefined, true), 'OK');
  for (const seat of cabinSeats) t.equal(valueIn(port, 'HVAC_TEMPERATURE_SET', seat), 22.5);
  t.equal(status('HVAC_TEMPERATURE_SET', 0x40, 24), 'OK');
  for (const seat of cabinSeats) t.equal(valueIn(port, 'HVAC_TEMPERATURE_SET', seat), 24, 'kept in step');
  t.equal(status('HVAC_RECIRC_ON', 0x4, true), 'OK');
  for (const seat of cabinSeats) t.equal(valueIn(port, 'HVAC_RECIRC_ON', seat), true, 'there is one flap');
  t.end();
});

t.test('a climate that is off has no values, and what depends on it is disabled', (t) => {
  const cockpit = driven();
  const { port } = cockpit;
  const told: PropertyReading[] = [];
  const stop = port.onChange((changed) => told.push(...changed));
  t.equal(port.set('HVAC_POWER_ON', 0x1, false), null);
  const dependent = port.config('HVAC_POWER_ON')?.configArray ?? [];
  t.equal(dependent.length, 10);
  for (const id of dependent) {
    const config = port.config(id);
    t.equal(valueIn(port, config?.name ?? '', 0x1), 'NOT_AVAILABLE_DISABLED', String(config?.name));
    t.not(valueIn(port, config?.name ?? '', 0x4), 'NOT_AVAILABLE_DISABLED', 'the other seat is on');
    t.match(
      told.find((reading) => reading.config === config && reading.area === 0x1),
      { availability: 'UNAVAILABLE', value: null },
    );
  }
  t.equal(port.set('HVAC_FAN_SPEED', 0x1, 3)?.status, 'NOT_AVAILABLE_DISABLED');
  t.equal(port.set('HVAC_MAX_DEFROST_ON', 0x1, true), null, 'the defroster does not depend on it');
  told.length = 0;
  port.set('HVAC_POWER_ON', 0x1, true);
  t.ok(told.some(({ config, value }) => config.name === 'HVAC_FAN_SPEED' && value === 3));
  stop();
  t.end();
});

t.test('the drive: speed, gear, tyres, warnings, weather; and nothing of it without an ego', (t) => {
  const faults = { ...soundFaults(passengerCar), absFault: true, escFault: true };
  faults.tyreKpa.RL = 150;
  const cockpit = driven(
    { vMps: -2, control: { ...noControl, reverse: true }, car: { ...moment(0).car, faults } },
    { precipitation: 85, wetness: 60, sunAltitudeDeg: -20 },
  );
  const { port } = cockpit;
  t.equal(valueIn(port, 'PERF_VEHICLE_SPEED'), -2, 'backwards is negative');
  t.equal(valueIn(port, 'GEAR_SELECTION'), 2);
  t.equal(valueIn(port, 'CURRENT_GEAR'), 2);
  t.equal(valueIn(port, 'TIRE_PRESSURE', 0x4), 150);
  t.equal(
    valueIn(port, 'WARNING_LAMPS'),
    warningLamp.ABS | warningLamp.TYRE_PRESSURE | warningLamp.STABILITY_CONTROL,
  );
  t.equal(valueIn(port, 'RAIN_LEVEL'), 3);
  t.equal(valueIn(port, 'ROAD_FRICTION'), 1);
  t.equal(valueIn(port, 'NIGHT_MODE'), true);
  t.equal(valueIn(port, 'ENV_OUTSIDE_TEMPERATURE'), 12);
  t.equal(valueIn(port, 'SOLAR_LOAD'), 0);
  t.equal(valueIn(port, 'SEAT_OCCUPANCY', 0x4), 2);
  t.equal(valueIn(port, 'SEAT_OCCUPANCY', 0x10), 1);
  cockpit.step(moment(0.1, { vMps: 0, control: { ...noControl, handBrake: true } }));
  t.equal(valueIn(port, 'GEAR_SELECTION'), 4, 'parked');
  t.equal(valueIn(port, 'PARKING_BRAKE_ON'), true);
  cockpit.step(moment(0.15));
  t.equal(valueIn(port, 'GEAR_SELECTION'), 8);
  t.equal(valueIn(port, 'CURRENT_GEAR'), 16);
  cockpit.leave(0.2);
  t.equal(valueIn(port, 'PERF_VEHICLE_SPEED'), 'NOT_AVAILABLE');
  t.equal(valueIn(port, 'HEADLIGHTS_SWITCH'), lightSwitch.AUTOMATIC, 'switches stay where they are');
  t.end();
});

t.test('lamps by themselves, by switch, and by a CARLA client; never two masters', (t) => {
  const cockpit = driven();
  const { port } = cockpit;
  let tS = 0.05;
  const step = (change: Partial<EgoMoment>, weather: Partial<WeatherParameters> = {}) => {
    tS += 0.05;
    return cockpit.step(moment(tS, change, weather));
  };
  t.equal(step({}).lightFlags, 0, 'a bright day');
  t.equal(valueIn(port, 'HEADLIGHTS_STATE'), 2, 'daytime running');
  const night = { sunAltitudeDeg: -10 };
  t.equal(step({}, night).lightFlags, lightFlag.position | lightFlag.lowBeam);
  t.equal(step({}, { sunAltitudeDeg: 4 }).lightFlags & lightFlag.lowBeam, 2, 'still dark for the sensor');
  t.equal(step({}, { sunAltitudeDeg: 7 }).lightFlags, 0);
  t.equal(step({}, { sunAltitudeDeg: 4 }).lightFlags, 0, 'and not dark again yet');
  t.equal(step({}, { precipitation: 30 }).lightFlags & lightFlag.lowBeam, 2, 'with the wipers');
  port.set('HIGH_BEAM_LIGHTS_SWITCH', 0, lightSwitch.AUTOMATIC);
  t.ok(step({ vMps: 20 }, night).lightFlags & lightFlag.highBeam, 'nobody to dazzle');
  t.notOk(step({ vMps: 20, hasOthersAhead: true }, night).lightFlags & lightFlag.highBeam);
  t.notOk(step({ vMps: 20, hasOthersAhead: null }, night).lightFlags & lightFlag.highBeam, 'nobody looks');
  port.set('HIGH_BEAM_LIGHTS_SWITCH', 0, lightSwitch.OFF);
  const flags = step({ control: { ...noControl, brake: 0.4, reverse: true } }).lightFlags;
  t.equal(flags, lightFlag.brake | lightFlag.reverse);
  // A client of CARLA sets the lamps: what it turned on stays on, and the head unit sees it.
  const set = lightFlag.position | lightFlag.lowBeam | lightFlag.fog | lightFlag.leftBlinker;
  t.equal(step({ lightFlags: set }).lightFlags, set);
  t.equal(valueIn(port, 'HEADLIGHTS_SWITCH'), lightSwitch.ON);
  t.equal(valueIn(port, 'FRONT_FOG_LIGHTS_SWITCH'), lightSwitch.ON);
  t.equal(valueIn(port, 'TURN_SIGNAL_STATE'), 2);
  t.equal(step({ lightFlags: set }).lightFlags, set, 'and again nobody touches them');
  port.set('HEADLIGHTS_SWITCH', 0, lightSwitch.OFF);
  const dark = step({ lightFlags: set }, night).lightFlags;
  t.equal(dark & lightFlag.lowBeam, 0, 'the head unit turns them off, also at night');
  const both = lightFlag.leftBlinker | lightFlag.rightBlinker;
  step({ lightFlags: dark | both });
  t.equal(valueIn(port, 'HAZARD_LIGHTS_SWITCH'), lightSwitch.ON, 'both blinkers are the hazard lights');
  t.equal(valueIn(port, 'TURN_SIGNAL_STATE'), 0);
  fc.assert(
    fc.property(fc.nat(511), fc.boolean(), (wanted, isNight) => {
      const weather = isNight ? night : {};
      step({ lightFlags: wanted }, weather);
      // What a client set holds, but for what pedals, gear and low beam light by themselves.
      const free = lightFlag.highBeam | lightFlag.fog | lightFlag.interior | both | lightFlag.lowBeam;
      const before = step({}, weather).lightFlags;
      t.equal(step({ lightFlags: before }, weather).lightFlags, before, 'left alone, nothing moves');
      const asked = step({ lightFlags: wanted }, weather).lightFlags;
      t.equal(asked & free & (before ^ wanted), wanted & free & (before ^ wanted));
    }),
  );
  t.end();
});

t.test('subscriptions: on change, at a rate, and the last value whatever was missed', (t) => {
  const cockpit = driven();
  const subscriptions = new Subscriptions(cockpit.port);
  cockpit.port.onChange((changed) => subscriptions.changed(changed));
  const refused = (prop: string, more = {}): unknown => subscriptions.add('r', { prop, ...more })?.status;
  t.equal(refused('INFO_FUEL_CAPACITY'), 'INVALID_ARG', 'a static value is read once');
  t.equal(refused('PERF_VEHICLE_SPEED', { rate_hz: 50 }), 'INVALID_ARG');
  t.equal(refused('GEAR_SELECTION', { rate_hz: 5 }), 'INVALID_ARG', 'on change has no rate');
  t.equal(refused('TIRE_PRESSURE', { areas: [3] }), 'INVALID_ARG');
  t.equal(subscriptions.add(1, { prop: 'PERF_VEHICLE_SPEED', rate_hz: 2 }), null);
  t.equal(subscriptions.add(2, { prop: 'HVAC_FAN_SPEED', areas: [0x1] }), null);
  const values = (tS: number): unknown[] =>
    subscriptions
      .due(tS)
      .flatMap(({ id, values: all }) => (all as { value: unknown }[]).map(({ value }) => [id, value]));
  t.same(
    values(0.05),
    [
      [1, 10],
      [2, 3],
    ],
    'what is so now',
  );
  let events = 0;
  for (let i = 2; i <= 61; i++) {
    cockpit.step(moment(i * 0.05, { vMps: 10 + i }));
    events += values(i * 0.05).length;
  }
  t.equal(events, 6, 'three seconds at 2 Hz');
  t.ok(subscriptions.coalesced > 40);
  cockpit.port.set('HVAC_FAN_SPEED', 0x4, 6);
  t.same(values(3.06), [], 'another area');
  for (const level of [4, 5, 6]) cockpit.port.set('HVAC_FAN_SPEED', 0x1, level);
  t.same(values(3.06), [[2, 6]], 'the last one alone');
  t.equal(subscriptions.remove('HVAC_FAN_SPEED'), null);
  t.equal(subscriptions.remove('HVAC_FAN_SPEED')?.status, 'INVALID_ARG');
  cockpit.port.set('HVAC_FAN_SPEED', 0x1, 2);
  t.same(values(3.07), []);
  cockpit.step(moment(0.3, { vMps: 5 }));
  t.same(values(0.3), [[1, 5]], 'a simulator that began anew');
  t.end();
});

t.test('a fogged windscreen in the world: four people, a wet day, and the defroster', async (t) => {
  const { world: scenario, map } = await loadScenario('town-rain');
  const drive = (): { world: SimWorld; cockpit: EgoCockpit; ego: ServedEgoCockpit } => {
    const cockpit = new EgoCockpit({ people: 5, humidityPercent: 95 });
    return { world: new SimWorld(scenario, map), cockpit, ego: new ServedEgoCockpit(cockpit) };
  };
  const run = ({ world, ego }: ReturnType<typeof drive>, seconds: number): void => {
    for (let i = 0; i < seconds * 20; i++) {
      world.step(0.05);
      ego.step(world);
    }
  };
  const all = drive();
  const { world, cockpit, ego } = all;
  const setAll = (prop: string, value: unknown): void => {
    for (const area of cockpit.port.config(prop)?.areas ?? []) cockpit.port.set(prop, area, value);
  };
  setAll('HVAC_AUTO_ON', false);
  setAll('HVAC_AC_ON', false);
  setAll('HVAC_RECIRC_ON', true);
  setAll('HVAC_FAN_SPEED', 2);
  setAll('WINDSHIELD_WIPERS_SWITCH', wiperSwitch.OFF);
  run(all, 420);
  const fogged = world.ego?.windscreen;
  t.ok((fogged?.fog ?? 0) > 0.5, `fog ${fogged?.fog}`);
  t.ok((fogged?.drops ?? 0) > 0.3, `drops ${fogged?.drops}`);
  t.equal(ego.effects?.signals.wiperMode, 0);
  setAll('HVAC_MAX_DEFROST_ON', true);
  setAll('WINDSHIELD_WIPERS_SWITCH', wiperSwitch.AUTO);
  run(all, 180);
  t.equal(world.ego?.windscreen?.fog, 0, 'clear again');
  t.ok((world.ego?.windscreen?.drops ?? 1) < 0.1, 'and wiped');
  t.ok((ego.effects?.signals.wiperMode ?? 0) > 0);
  t.ok((world.ego?.lightFlags ?? 0) & lightFlag.lowBeam, 'lamps of the ego in the world');
  if (world.egoId !== null) world.destroy(world.egoId);
  run(all, 1);
  t.equal(ego.effects, null);
  t.equal(valueIn(cockpit.port, 'PERF_VEHICLE_SPEED'), 'NOT_AVAILABLE');
  const again = drive();
  run(again, 20);
  const third = drive();
  run(third, 20);
  t.same(again.world.ego?.windscreen, third.world.ego?.windscreen, 'the same twice');
});

t.test(
  'the driver indicates before it turns, to the side it turns to, and not on a straight way',
  async (t) => {
    const { world: scenario, map } = await loadScenario('town-rain');
    const cockpit = new EgoCockpit({ people: 1, humidityPercent: null });
    const ego = new ServedEgoCockpit(cockpit);
    const world = new SimWorld({ ...scenario, vehicles: [], walkers: [] }, map);
    let announced: { readonly side: number; readonly headingRad: number } | null = null;
    let turns = 0;
    for (let i = 0; i < 120 * 20; i++) {
      world.step(0.05);
      ego.step(world);
      const side = Number(valueIn(cockpit.port, 'TURN_SIGNAL_STATE'));
      const { headingRad } = world.ego?.pose ?? { headingRad: 0 };
      if (side !== 0) announced ??= { side, headingRad };
      else if (announced !== null) {
        const turn = headingRad - announced.headingRad;
        const turnRad = Math.atan2(Math.sin(turn), Math.cos(turn));
        t.ok(Math.abs(turnRad) > 0.5, `it turned by ${((turnRad * 180) / Math.PI).toFixed(0)}°`);
        t.equal(announced.side, turnRad > 0 ? 2 : 1, 'to the side it told');
        announced = null;
        turns++;
      }
    }
    t.ok(turns >= 2, `${turns} turns`);
  },
);
