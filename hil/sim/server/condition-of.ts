import type { VehicleCondition } from '../../carla/wire/vehicle-condition.js';
import { frameFaults } from '../plant.js';
import type { SimWorld } from '../world/sim-world.js';

/** What the controllers of a vehicle report about it now; throws SIM_REFUSED where there is none. */
export function conditionOf(world: SimWorld, id: number): VehicleCondition {
  const { plant, faults } = world.bicycle(id);
  const actor = world.actors.get(id);
  const { absFault, escFault, brakeFluidLow, tyreKpa, frames } = faults;
  const { absActive, escActive, tcsActive, throttle, brake, wheelMps } = plant;
  return {
    isDriven: actor?.kind === 'vehicle' && actor.brain !== 'traffic',
    absFault,
    escFault,
    brakeFluidLow,
    tyreKpa,
    absActive,
    escActive,
    tcsActive,
    throttle,
    brake,
    wheelMps,
    ambientC: world.weather.at(world.tS).ambientC,
    frameFaults: [...frames].map(([message, fault]) => ({ message, fault: frameFaults.indexOf(fault) })),
    body: actor?.kind === 'vehicle' && actor.body !== undefined ? [actor.body] : [],
  };
}
