/** A world of a bundled map for the tests of simulated sensors. */
import { clearWeather, type WeatherParameters } from '../../hil/carla/wire/weather.js';
import { readOpenDrive } from '../../hil/opendrive/read-map.js';
import { mapText } from '../../hil/sim/maps/map-catalogue.js';
import { SimWorld } from '../../hil/sim/world/sim-world.js';
import type { VehicleSpawn, WorldScenario } from '../../hil/sim/world/world-scenario.js';

export function carOn(road: string, lane: number, sM: number, type = 'hatchback'): VehicleSpawn {
  return {
    typeId: `vehicle.drivemcp.${type}`,
    roleName: 'autopilot',
    place: { road, lane, sM },
    vMps: 0,
    speedFactor: 1,
    script: [],
  };
}

export function mapWorld(
  map: string,
  change: Partial<WorldScenario> = {},
  weather: Partial<WeatherParameters> = {},
): SimWorld {
  const scenario: WorldScenario = {
    id: `sensors-${map}`,
    seed: 1,
    map,
    startWallMs: 0,
    weather: [{ tS: 0, weather: { ...clearWeather, sunAltitudeDeg: 45, ...weather }, ambientC: 15 }],
    ego: null,
    vehicles: [],
    walkers: [],
    displays: [],
    ...change,
  };
  return new SimWorld(scenario, readOpenDrive(mapText(map), map));
}
