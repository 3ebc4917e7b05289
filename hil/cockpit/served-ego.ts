/** The cockpit of the ego in the served world: the world's truth goes in, lamps and the view through the windscreen come out. */

import type { PowertrainState } from '../sim/powertrain.js';
import { stepPowertrain, warmPowertrain } from '../sim/powertrain.js';
import type { VehicleActor } from '../sim/world/actor.js';
import { indicatorOf } from '../sim/world/indicator.js';
import type { SimWorld } from '../sim/world/sim-world.js';
import type { EgoCockpit } from './port/ego-cockpit.js';
import type { CockpitEffects } from './port/ego-moment.js';

const odometerM = 18_204_000;
/** High beam dazzles whom it meets within this, in front of the lamps. */
const dazzledWithinM = 250;
const dazzledWithinRad = 0.35;

export class ServedEgoCockpit {
  /** of the last step; null where there is no ego */
  effects: CockpitEffects | null = null;
  readonly #cockpit: EgoCockpit;
  #car: {
    readonly world: SimWorld;
    readonly ego: VehicleActor;
    readonly powertrain: PowertrainState;
  } | null = null;
  #tS = 0;

  constructor(cockpit: EgoCockpit) {
    this.#cockpit = cockpit;
  }

  /** To be called behind every step of the world. Another ego, or another world, is another car. */
  step(world: SimWorld): void {
    const { ego } = world;
    const dtS = world.tS - this.#tS;
    this.#tS = world.tS;
    if (ego === null || ego !== this.#car?.ego || world !== this.#car.world) {
      if (this.#car !== null) this.#cockpit.leave(world.tS);
      this.effects = null;
      this.#car = ego === null ? null : { world, ego, powertrain: warmPowertrain(Math.abs(ego.vMps)) };
    }
    if (this.#car === null || ego === null || !(dtS > 0)) return;
    const { powertrain } = this.#car;
    const { plant, faults, model } = world.bicycle(ego.id);
    stepPowertrain(powertrain, plant, dtS);
    const { weather, ambientC } = world.weather.at(world.tS);
    this.effects = this.#cockpit.step({
      tS: world.tS,
      dtS,
      vMps: ego.vMps,
      car: { plant, faults, model, powertrain, odometerM },
      control: ego.control,
      weather,
      ambientC,
      lightFlags: ego.lightFlags,
      indicator: ego.brain === 'client' || ego.track === null ? null : indicatorOf(ego.track),
      hasOthersAhead: hasOthersAhead(ego, world),
    });
    ego.lightFlags = this.effects.lightFlags;
    ego.windscreen = this.effects.windscreen;
    ego.body = this.effects.signals;
  }
}

function hasOthersAhead(ego: VehicleActor, world: SimWorld): boolean {
  for (const other of world.actors.values()) {
    if (other.kind !== 'vehicle' || other === ego) continue;
    const dx = other.pose.x - ego.pose.x;
    const dy = other.pose.y - ego.pose.y;
    if (Math.hypot(dx, dy) > dazzledWithinM) continue;
    const aside = Math.atan2(dy, dx) - ego.pose.headingRad;
    if (Math.abs(Math.atan2(Math.sin(aside), Math.cos(aside))) < dazzledWithinRad) return true;
  }
  return false;
}
