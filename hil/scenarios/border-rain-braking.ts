/**
 * The bundled drive: a German rural road and motorway, rain, a variable limit, an invented land border to
 * Great Britain, a failing ABS and a lead that brakes hard while the driver looks away.
 *
 * Everything is made up, the place too: no road leads from Germany to Great Britain. The dates lie within
 * the validity of the bundled rules.
 */
import { passengerCar } from '../sim/plant.js';
import type { Gantry, Road } from '../sim/road.js';
import type { Scenario } from '../sim/scenario.js';

function gantry(name: string, sM: number, kmh: number): Gantry {
  return {
    id: `de-motorway-1/${name}`,
    sM,
    country: 'DEU',
    schedule: [{ fromS: 0, value: kmh, unit: 'km/h' }],
  };
}

const road: Road = {
  gripFactor: 1,
  segments: [
    {
      id: 'de-rural-1',
      lengthM: 900,
      jurisdiction: 'DEU',
      roadClass: 'rural',
      carriageway: 'single',
      lanesPerDir: 1,
      unit: 'km/h',
      driveSide: 'right',
      statutoryLimit: { value: 100, unit: 'km/h' },
      curvaturePerM: 1 / 900,
    },
    {
      id: 'de-motorway-1',
      lengthM: 1670,
      jurisdiction: 'DEU',
      roadClass: 'motorway',
      carriageway: 'separated',
      lanesPerDir: 2,
      unit: 'km/h',
      driveSide: 'right',
      statutoryLimit: null,
      curvaturePerM: -1 / 2500,
    },
    {
      id: 'gb-motorway-1',
      lengthM: 2500,
      jurisdiction: 'GBR',
      roadClass: 'motorway',
      carriageway: 'separated',
      lanesPerDir: 2,
      unit: 'mph',
      driveSide: 'left',
      statutoryLimit: { value: 70, unit: 'mph' },
      curvaturePerM: 1 / 3000,
    },
  ],
  signs: [
    {
      sM: 420,
      sign: {
        id: 'de-rural-1/274-70',
        category: 'speed_limit',
        code: '274',
        value: 70,
        unit: 'km/h',
        country: 'DEU',
        condition: 'none',
      },
    },
  ],
  gantries: [gantry('g1', 1250, 120), gantry('g2', 1750, 80), gantry('g3', 2250, 60)],
};

export const borderRainBraking: Scenario = {
  id: 'border-rain-braking',
  title: 'Germany to Great Britain in the rain',
  seed: 20260518,
  durationS: 165,
  startWallMs: Date.UTC(2026, 4, 18, 8, 0, 0),
  road,
  weather: [
    { tS: 0, precipitation: 0, precipitationDeposits: 0, wetness: 0, fogDensity: 0, ambientC: 14 },
    { tS: 106, precipitation: 0, precipitationDeposits: 0, wetness: 0, fogDensity: 0, ambientC: 13 },
    { tS: 118, precipitation: 52, precipitationDeposits: 20, wetness: 56, fogDensity: 3, ambientC: 11.5 },
    { tS: 140, precipitation: 65, precipitationDeposits: 45, wetness: 65, fogDensity: 6, ambientC: 11 },
  ],
  ego: {
    startM: 0,
    vMps: 25,
    car: passengerCar,
    driver: {
      reactionS: 0.8,
      noticeS: 0.7,
      timeGapS: 1,
      standstillGapM: 2,
      accelMps2: 1.6,
      comfortBrakeMps2: 2,
      emergencyBrakeMps2: 9,
      freeSpeedMps: 31,
      wetCaution: 0.52,
      overlooks: [{ sourceId: 'de-rural-1/274-70', untilS: 22 }],
      looksAway: [{ fromS: 148.8, untilS: 152.5 }],
    },
  },
  leads: [
    {
      id: 'lead-1',
      cls: 'car',
      entersS: 125,
      leavesS: 1e9,
      entry: 'ahead',
      gapM: 45,
      vMps: 18,
      phases: [
        { fromS: 126, toMps: 16.2, rateMps2: 0.5 },
        { fromS: 150, toMps: 11.2, rateMps2: 5 },
        { fromS: 153, toMps: 16, rateMps2: 1.2 },
      ],
    },
  ],
  faults: [{ kind: 'abs', atS: 138 }],
  // Onset is when an assistant in this car can know it: a sign is passed, a service reports, a frame says it.
  story: [
    {
      event: 'overspeed',
      onsetS: 15.7,
      what: '100 km/h past a sign that says 70; the driver has not seen it',
    },
    { event: 'dynamic_limit_update', onsetS: 50, what: 'first gantry: 120 km/h' },
    { event: 'dynamic_limit_update', onsetS: 66.2, what: 'second gantry: 80 km/h' },
    { event: 'overspeed', onsetS: 66.2, what: 'still at 111 km/h when the limit falls to 80' },
    { event: 'dynamic_limit_update', onsetS: 87, what: 'third gantry: 60 km/h' },
    { event: 'overspeed', onsetS: 87, what: 'still at 80 km/h when the limit falls to 60' },
    { event: 'jurisdiction_change', onsetS: 104.7, what: 'Great Britain: miles, left-hand traffic, 70 mph' },
    { event: 'low_friction', onsetS: 120, what: 'the weather service reports a wet road' },
    { event: 'vehicle_fault', onsetS: 138, what: 'ABS fault' },
    { event: 'hazard_rss', onsetS: 150, what: 'the lead brakes hard, the driver looks away' },
    { event: 'act', onsetS: 152.6, what: 'contact is 1.5 s away and the driver still has not braked' },
  ],
};
