/**
 * A CARLA session as a drive: each tick moves the world on by one step, and what the car's own sensors say of it comes out
 * as CAN frames and facts. As owner of the ticks the drive runs in lockstep: logic time is simulator time.
 *
 * Nothing that the simulator knows becomes a fact as such: position goes through a receiver's error, weather through a
 * service that publishes every five seconds, vehicles ahead through a LiDAR scan, speeds through the car's CAN.
 */
import { FRAME_STRIDE, FrameBatch } from '../../../daemon/core/can/frame-batch.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { SignalSample } from '../../../daemon/core/tick.js';
import type { FactInput } from '../../../daemon/core/world/facts.js';
import type { DriveSource, VehicleProfile } from '../../../daemon/ports.js';
import type { DbcDatabase } from '../../../daemon/vehicles/dbc/database.js';
import type { RoadIndex } from '../../opendrive/locate.js';
import type { OpenDriveMap } from '../../opendrive/map.js';
import type { CarlaSession } from '../session/carla-session.js';
import type { Actor } from '../wire/actor.js';
import { clearWeather, type WeatherParameters } from '../wire/weather.js';
import { EgoBus } from './ego-bus.js';
import type { EgoMoment } from './ego-car.js';
import type { EgoCompanion } from './ego-companion.js';
import { EgoControl, type Intervention } from './ego-control.js';
import { type EgoMotion, motionOf } from './ego-motion.js';
import { LaneDriver } from './lane-driver.js';
import { LeadSense } from './lead-sense.js';
import { MapFacts } from './map-facts.js';

const weatherPeriodUs = 5_000_000;
const batchFrames = 4096;
/** a pause longer than two seconds is not caught up */
const maxStepsATick = 40;

export interface CarlaDriveParts {
  readonly session: CarlaSession;
  readonly ego: Actor;
  /** false: somebody else drives the ego, and nothing is written to it */
  readonly isOurs: boolean;
  readonly profile: VehicleProfile;
  readonly database: DbcDatabase;
  readonly seed: string;
  readonly map: OpenDriveMap;
  readonly index: RoadIndex;
  readonly startWallMs: number;
  readonly endsAfterS: number;
  readonly intervene: Intervention | null;
  /** how the brakes are known to who intervenes, for the record */
  readonly brakes: string;
  readonly companion?: EgoCompanion | undefined;
  readonly notice: (text: string) => void;
}

export class CarlaDrive implements DriveSource {
  readonly description: string;
  readonly digest: string;
  readonly isSimulated = true;
  readonly startWallMs: number;
  readonly #parts: CarlaDriveParts;
  readonly #control: EgoControl;
  readonly #bus: EgoBus;
  readonly #facts: FactInput[] = [];
  readonly #mapFacts: MapFacts;
  readonly #driver: LaneDriver | null;
  readonly #batch = new FrameBatch(batchFrames, ['carla']);
  readonly #tUs = new Float64Array(batchFrames);
  #lead: LeadSense | null = null;
  #weather: WeatherParameters = clearWeather;
  #weatherAtUs = -Infinity;
  #lastTUs = 0;

  private constructor(parts: CarlaDriveParts) {
    const { session, database, seed, map, index, isOurs, startWallMs } = parts;
    const { probe, options } = session;
    this.#parts = parts;
    this.#control = new EgoControl(session, parts.ego, parts.notice);
    this.#bus = new EgoBus({ database, seed, scripted: [], hasReadings: false });
    this.#mapFacts = new MapFacts(index, seed);
    this.#driver = isOurs ? new LaneDriver(map, index, seed) : null;
    this.startWallMs = startWallMs;
    const name = session.isOurSimulator ? 'simulator' : 'CARLA';
    this.description = `${name} ${probe.versionText} at ${options.host}:${options.port}, map ${map.name}, ticks: ${options.sync}, brakes: ${parts.brakes}`;
    this.digest = `carla:${probe.versionText}:${map.name}:${seed}`;
  }

  /** Attaches the sensors; they and the ego are destroyed with the session. */
  static async begin(parts: CarlaDriveParts): Promise<CarlaDrive> {
    const drive = new CarlaDrive(parts);
    drive.#lead = await LeadSense.attach(parts.session, parts.ego);
    if (drive.#lead === null) parts.notice('the server has no LiDAR: vehicles ahead are not seen');
    return drive;
  }

  /** Streams that failed, and frames that somebody else's control was in. */
  get diagnosticCount(): number {
    return this.#parts.session.interruptions + this.#control.foreignFrames;
  }

  async advance(tUs: number): Promise<boolean> {
    const { session, ego, endsAfterS, intervene, companion } = this.#parts;
    if (tUs > endsAfterS * 1e6) return false;
    // Ticks that a live loop missed are steps of the world all the same; a world that somebody else moves goes by itself.
    const due =
      session.options.sync === 'owner'
        ? Math.round((tUs - this.#lastTUs) / 1e6 / session.options.fixedDeltaS)
        : 1;
    let state = await session.step();
    for (let step = 1; step < Math.min(due, maxStepsATick); step++) state = await session.step();
    const own = state.actors.find(({ id }) => id === ego.id);
    if (own === undefined) {
      this.#parts.notice('the ego is gone: the drive ends here');
      return false;
    }
    const dtS = Math.max(0.001, (tUs - this.#lastTUs) / 1e6);
    this.#lastTUs = tUs;
    const motion = motionOf(own);
    await this.#askWeather(tUs);
    this.#look(motion, tUs);
    this.#facts.push(...this.#mapFacts.sense(motion.x, motion.y, motion.headingRad, tUs, dtS));
    const control = this.#control.observe(own);
    const moment = {
      motion,
      control,
      tUs,
      dtS,
      weather: this.#weather,
      condition: await this.#control.condition(),
    };
    this.#emit({ ...moment, body: companion?.step(moment).body ?? null });
    if (this.#driver !== null) {
      const driven = this.#driver.drive(motion, this.#lead?.seen ?? null, dtS);
      await this.#control.write(driven, motion, tUs, intervene);
    }
    return true;
  }

  drainFacts(): FactInput[] {
    return this.#facts.splice(0);
  }

  drainSignals(): SignalSample[] {
    return this.#parts.profile.drain(this.#lastTUs);
  }

  async close(): Promise<void> {
    const left = await this.#parts.session.close();
    for (const text of left) this.#parts.notice(`not put back: ${text}`);
  }

  async #askWeather(tUs: number): Promise<void> {
    if (tUs - this.#weatherAtUs < weatherPeriodUs) return;
    this.#weatherAtUs = tUs;
    this.#weather = await this.#parts.session.weather();
    const { precipitation, precipitationDeposits, wetness, fogDensity } = this.#weather;
    this.#facts.push({
      kind: 'weather',
      value: {
        precipitation: percent(precipitation),
        precipitationDeposits: percent(precipitationDeposits),
        wetness: percent(wetness),
        fogDensity: percent(fogDensity),
      },
      conf: 0.9,
      provenance: 'map',
      observedAtUs: tUs,
    });
  }

  #look(motion: EgoMotion, tUs: number): void {
    const lead = this.#lead;
    if (lead === null || !lead.look(motion, tUs)) return;
    const rain = Math.min(1, Math.max(0, this.#weather.precipitation) / 100);
    this.#facts.push({
      kind: 'actors',
      value: lead.seen === null ? [] : [lead.seen],
      conf: Math.round((0.92 - 0.15 * rain) * 1000) / 1000,
      provenance: 'perception',
      observedAtUs: tUs,
    });
  }

  #emit(moment: EgoMoment): void {
    const batch = this.#batch;
    batch.clear();
    this.#bus.step(moment, (atUs, id, data) => {
      if (batch.isFull) throw new DriveMcpError('INVARIANT', `more than ${batchFrames} frames in one step`);
      const i = batch.count++;
      this.#tUs[i] = atUs;
      batch.tS[i] = atUs / 1e6;
      batch.id[i] = id;
      batch.length[i] = data.length;
      batch.dlc[i] = data.length;
      batch.data.set(data, i * FRAME_STRIDE);
    });
    if (batch.count > 0)
      this.#parts.profile.consume(batch, 0, batch.count, this.#tUs.subarray(0, batch.count));
  }
}

function percent(value: number): number {
  return Math.round(Math.min(100, Math.max(0, value)));
}
