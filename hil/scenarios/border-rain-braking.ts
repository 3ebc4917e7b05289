/**
 * The bundled drive: a German rural road and motorway, rain, a variable limit, an invented land border to
 * Great Britain, a failing ABS and a lead that brakes hard while the driver looks away.
 *
 * Everything is made up, the place too: no road leads from Germany to Great Britain. The dates lie within
 * the validity of the bundled rules.
 */
import { passengerCar } from '../sim/plant.js';
import type { Road } from '../sim/road.js';
import type { Scenario } from '../sim/scenario.js';

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
      lengthM: 1900,
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
  gantries: [
    { id: 'de-motorway-1/g1', sM: 1380, country: 'DEU', schedule: [{ fromS: 0, value: 120, unit: 'km/h' }] },
    {
      id: 'de-motorway-1/g2',
      sM: 2030,
      country: 'DEU',
      schedule: [
        { fromS: 0, value: 120, unit: 'km/h' },
        { fromS: 60, value: 80, unit: 'km/h' },
      ],
    },
    {
      id: 'de-motorway-1/g3',
      sM: 2500,
      country: 'DEU',
      schedule: [
        { fromS: 0, value: 120, unit: 'km/h' },
        { fromS: 75, value: 60, unit: 'km/h' },
      ],
    },
  ],
};

export const borderRainBraking: Scenario = {
  id: 'border-rain-braking',
  title: 'Germany to Great Britain in the rain, simulated',
  seed: 20260518,
  durationS: 168,
  startWallMs: Date.UTC(2026, 4, 18, 8, 0, 0),
  road,
  weather: [
    { tS: 0, precipitation: 0, precipitationDeposits: 0, wetness: 0, fogDensity: 0, ambientC: 14 },
    { tS: 52, precipitation: 0, precipitationDeposits: 0, wetness: 0, fogDensity: 0, ambientC: 14 },
    { tS: 68, precipitation: 45, precipitationDeposits: 20, wetness: 50, fogDensity: 3, ambientC: 12.5 },
    { tS: 110, precipitation: 50, precipitationDeposits: 30, wetness: 55, fogDensity: 4, ambientC: 11.5 },
    { tS: 135, precipitation: 65, precipitationDeposits: 45, wetness: 65, fogDensity: 6, ambientC: 11 },
  ],
  ego: {
    startM: 0,
    vMps: 25,
    car: passengerCar,
    driver: {
      reactionS: 0.8,
      noticeS: 0.7,
      timeGapS: 0.85,
      standstillGapM: 2,
      accelMps2: 1.6,
      comfortBrakeMps2: 2,
      emergencyBrakeMps2: 9,
      freeSpeedMps: 34,
      wetCaution: 0.45,
      overlooks: [{ sourceId: 'de-rural-1/274-70', untilS: 22 }],
      looksAway: [{ fromS: 144.8, untilS: 148.5 }],
    },
  },
  leads: [
    {
      id: 'lead-1',
      cls: 'car',
      lengthM: 4.4,
      entersS: 118,
      leavesS: 1e9,
      entry: 'ahead',
      gapM: 40,
      vMps: 18,
      phases: [
        { fromS: 120, action: 'speed_up', toMps: 19.5, rateMps2: 1 },
        { fromS: 146, action: 'brake', toMps: 14.5, rateMps2: 5 },
        { fromS: 149, action: 'speed_up', toMps: 19, rateMps2: 1.2 },
      ],
    },
  ],
  faults: [{ kind: 'abs', atS: 132 }],
  story: [],
};
