/** One session of a bridge: the ego in it, its driver where it is ours, and its state step by step. */
import { DriveMcpError } from '../../daemon/core/errors.js';
import { EgoControl, type Intervention } from '../carla/drive/ego-control.js';
import { type EgoMotion, motionOf } from '../carla/drive/ego-motion.js';
import { LaneDriver } from '../carla/drive/lane-driver.js';
import { LeadSense } from '../carla/drive/lead-sense.js';
import { applyRoadFriction } from '../carla/drive/road-friction.js';
import { roomyFirst } from '../carla/drive/roomy-places.js';
import { CarlaSession, type SessionOptions } from '../carla/session/carla-session.js';
import { claimEgo } from '../carla/session/claim-ego.js';
import type { VehicleCondition } from '../carla/wire/vehicle-condition.js';
import type { VehicleControl } from '../carla/wire/vehicle-control.js';
import { clearWeather, type WeatherParameters } from '../carla/wire/weather.js';
import { indexRoads } from '../opendrive/locate.js';
import { readOpenDrive } from '../opendrive/read-map.js';
import type { BridgeScene } from './bridge-output.js';

const weatherPeriodS = 5;

export interface EgoState {
  readonly frame: number;
  readonly timestampS: number;
  readonly motion: EgoMotion;
  readonly control: VehicleControl;
  readonly weather: WeatherParameters;
  readonly condition: VehicleCondition | null;
}

export class BridgedEgo {
  readonly scene: BridgeScene;
  readonly #driver: LaneDriver | null;
  readonly #lead: LeadSense | null;
  readonly #control: EgoControl;
  #weather: WeatherParameters = clearWeather;
  #weatherAtS = -Infinity;

  private constructor(
    scene: BridgeScene,
    driver: LaneDriver | null,
    lead: LeadSense | null,
    notice: (text: string) => void,
  ) {
    this.scene = scene;
    this.#control = new EgoControl(scene.session, scene.ego, notice);
    this.#driver = driver;
    this.#lead = lead;
  }

  /** Connects, finds or spawns the ego; on any failure nothing of ours is left at the server. */
  static async open(
    options: SessionOptions,
    seed: string,
    notice: (text: string) => void,
  ): Promise<BridgedEgo> {
    const session = await CarlaSession.open({ ...options, notice });
    try {
      const { probe } = session;
      for (const difference of probe.differences)
        notice(`the server says ${probe.versionText}, but ${difference}`);
      const state = await session.step();
      const map = readOpenDrive(await session.map(), 'map of the server');
      const index = indexRoads(map);
      const { actor: ego, isOurs } = await claimEgo(session, state, (places) =>
        roomyFirst(map, index, places),
      );
      const scene = { session, ego, isOurs };
      if (!isOurs) {
        notice(`the ego is vehicle ${ego.id}, driven by others`);
        return new BridgedEgo(scene, null, null, notice);
      }
      notice(`spawned ${ego.description.id} as the ego, vehicle ${ego.id}`);
      if (!session.isOurSimulator) notice(await applyRoadFriction(session, ego.id));
      const lead = await LeadSense.attach(session, ego);
      if (lead === null) notice('the server has no LiDAR: the driver of the ego does not see vehicles ahead');
      return new BridgedEgo(scene, new LaneDriver(map, index, seed), lead, notice);
    } catch (error) {
      for (const left of await session.close()) notice(`not put back: ${left}`);
      throw error;
    }
  }

  /** The next state of the world: ticked as owner, awaited otherwise. @throws DriveMcpError CARLA_*, EGO_GONE */
  async step(): Promise<EgoState> {
    const { session, ego } = this.scene;
    const { frame, timestampS, actors } = await session.step();
    const own = actors.find(({ id }) => id === ego.id);
    if (own === undefined)
      throw new DriveMcpError('EGO_GONE', `vehicle ${ego.id} is gone: somebody has destroyed the ego`);
    if (timestampS - this.#weatherAtS >= weatherPeriodS || timestampS < this.#weatherAtS) {
      this.#weatherAtS = timestampS;
      this.#weather = await session.weather();
    }
    const control = this.#control.observe(own);
    return {
      frame,
      timestampS,
      motion: motionOf(own),
      control,
      weather: this.#weather,
      condition: await this.#control.condition(),
    };
  }

  /** Drives the ego on from this state, where it is ours; `intervene` may replace what its driver gives. */
  async drive({ motion }: EgoState, tUs: number, dtS: number, intervene: Intervention | null): Promise<void> {
    if (this.#driver === null) return;
    this.#lead?.look(motion, tUs);
    const driven = this.#driver.drive(motion, this.#lead?.seen ?? null, dtS);
    await this.#control.write(driven, motion, tUs, intervene);
  }

  /** Destroys what was spawned and restores the settings; what could not be put back is returned. */
  close(): Promise<readonly string[]> {
    return this.scene.session.close();
  }
}
