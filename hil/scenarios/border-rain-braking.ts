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
      lengthM: 1760,
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
  title: 'Germany to Great Britain in the rain, simulated',
  seed: 20260518,
  durationS: 172,
  startWallMs: Date.UTC(2026, 4, 18, 8, 0, 0),
  road,
  weather: [
    { tS: 0, precipitation: 0, precipitationDeposits: 0, wetness: 0, fogDensity: 0, ambientC: 14 },
    { tS: 108, precipitation: 0, precipitationDeposits: 0, wetness: 0, fogDensity: 0, ambientC: 13 },
    { tS: 120, precipitation: 52, precipitationDeposits: 20, wetness: 56, fogDensity: 3, ambientC: 11.5 },
    { tS: 140, precipitation: 65, precipitationDeposits: 45, wetness: 65, fogDensity: 6, ambientC: 11 },
  ],
  ego: {
    startM: 0,
    vMps: 25,
    car: passengerCar,
    driver: {
      reactionS: 0.8,
      noticeS: 0.7,
      timeGapS: 0.9,
      standstillGapM: 2,
      accelMps2: 1.6,
      comfortBrakeMps2: 2,
      emergencyBrakeMps2: 9,
      freeSpeedMps: 31,
      wetCaution: 0.52,
      overlooks: [{ sourceId: 'de-rural-1/274-70', untilS: 22 }],
      looksAway: [{ fromS: 148.8, untilS: 152.3 }],
    },
  },
  leads: [
    {
      id: 'lead-1',
      cls: 'car',
      lengthM: 4.4,
      entersS: 122,
      leavesS: 1e9,
      entry: 'ahead',
      gapM: 45,
      vMps: 18.5,
      phases: [
        { fromS: 123, action: 'cruise', toMps: 17.8, rateMps2: 0.5 },
        { fromS: 150, action: 'brake', toMps: 12.8, rateMps2: 5 },
        { fromS: 153, action: 'speed_up', toMps: 17.8, rateMps2: 1.2 },
      ],
    },
  ],
  faults: [{ kind: 'abs', atS: 136 }],
  story: [],
};
