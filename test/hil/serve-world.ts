/** A served world for tests: the simulator on free ports of the loopback. */
import { type CarlaProfileName, carlaProfiles } from '../../hil/carla/profile/profile.js';
import { CarlaSession, type SessionOptions } from '../../hil/carla/session/carla-session.js';
import { clearWeather } from '../../hil/carla/wire/weather.js';
import { sensorProducers } from '../../hil/sim/server/producers.js';
import { SimServer } from '../../hil/sim/server/sim-server.js';
import type { WorldScenario } from '../../hil/sim/world/world-scenario.js';

export const quietTown: WorldScenario = {
  id: 'quiet-town',
  seed: 1,
  map: 'town-deu',
  startWallMs: 0,
  weather: [{ tS: 0, weather: clearWeather, ambientC: 15 }],
  ego: null,
  vehicles: [
    {
      typeId: 'vehicle.drivemcp.hatchback',
      roleName: 'autopilot',
      place: { road: '1', lane: -1, sM: 60 },
      vMps: 8,
      speedFactor: 1,
      script: [],
    },
  ],
  walkers: [],
  displays: [],
};

const [car] = quietTown.vehicles;

/** A car on each street, both ways. */
export const busyTown: WorldScenario = {
  ...quietTown,
  id: 'busy-town',
  vehicles: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'].flatMap((road) =>
    [-1, 1].flatMap((lane) => (car === undefined ? [] : [{ ...car, place: { road, lane, sM: 60 } }])),
  ),
};

export interface Served {
  readonly server: SimServer;
  open(change?: Partial<SessionOptions>): Promise<CarlaSession>;
}

export async function serveWorld(
  t: { teardown(run: () => Promise<void>): void },
  profile: CarlaProfileName = '0.9.15',
  scenario: WorldScenario = quietTown,
  version: string = profile,
  isSynchronous = false,
): Promise<Served> {
  const server = new SimServer({
    host: '127.0.0.1',
    port: 0,
    profile: carlaProfiles[profile],
    scenario,
    producers: sensorProducers('test'),
    version,
    isSynchronous,
    speed: 1,
  });
  const { rpc } = await server.start();
  const sessions: CarlaSession[] = [];
  t.teardown(async () => {
    for (const session of sessions) await session.close();
    await server.stop();
  });
  return {
    server,
    async open(change = {}) {
      const session = await CarlaSession.open({
        host: '127.0.0.1',
        port: rpc,
        timeoutMs: 5000,
        sync: 'owner',
        fixedDeltaS: 0.05,
        profile: null,
        ...change,
      });
      sessions.push(session);
      return session;
    },
  };
}
