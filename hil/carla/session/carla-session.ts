/**
 * A session with a CARLA server, real or simulated: connects, finds out what it speaks, follows the world, owns the ticks
 * or waits for them, and puts everything back when it ends. It alone writes the ego's control.
 */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { type Probe, probeProfile } from '../profile/probe-profile.js';
import type { CarlaProfileName } from '../profile/profile.js';
import { type CarlaMethods, carlaMethods } from '../rpc/methods.js';
import { RpcClient, unknownMethodText } from '../rpc/rpc-client.js';
import type { Actor, ActorDefinition, ActorDescription } from '../wire/actor.js';
import type { EpisodeSettings } from '../wire/episode.js';
import type { Transform } from '../wire/geometry.js';
import type { VehicleCondition } from '../wire/vehicle-condition.js';
import type { VehicleControl } from '../wire/vehicle-control.js';
import type { WeatherParameters } from '../wire/weather.js';
import { putBack } from './put-back.js';
import { SensorFeed } from './sensor-feed.js';
import { streamToken } from './stream-token.js';
import { WorldFeed, type WorldState } from './world-feed.js';

/** Who moves the world: this session, somebody else in synchronous mode, or the clock. */
export type SyncMode = 'owner' | 'passive' | 'async';

export interface SessionOptions {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  readonly sync: SyncMode;
  readonly fixedDeltaS: number;
  readonly profile: CarlaProfileName | null;
  /** pause before a stream that failed is subscribed to again; 1000 as LibCarla's */
  readonly retryMs?: number;
  /** longest wait of an owner's step for a sensor of its frame; 2000 */
  readonly sensorWaitMs?: number;
  /** what the user should know and no caller asked for: streams that fail, sensors that are late */
  readonly notice?: (text: string) => void;
}

export interface SensorOrder {
  readonly typeId: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly transform: Transform;
  readonly parentId: number;
}

const rigid = 0;
const defaultRetryMs = 1000;
const defaultSensorWaitMs = 2000;
/** world streams in a row that were lost while a step waited */
const longestLoss = 5;
/** sensors that speak when something happens, not in time */
const eventSensors = ['collision', 'obstacle', 'lane_invasion'];

export class CarlaSession {
  readonly options: SessionOptions;
  readonly probe: Probe;
  readonly rpc: RpcClient;
  readonly methods: CarlaMethods;
  readonly episodeId: bigint;
  readonly world: WorldFeed;
  readonly definitions: readonly ActorDefinition[];
  readonly sensors: SensorFeed[] = [];
  readonly #before: EpisodeSettings;
  readonly #spawned: number[] = [];
  readonly #unanswered: ActorDescription[] = [];
  readonly #known = new Map<number, Actor>();
  #isClosed = false;
  #tellsCondition = true;

  private constructor(
    options: SessionOptions,
    probe: Probe,
    rpc: RpcClient,
    methods: CarlaMethods,
    episodeId: bigint,
    world: WorldFeed,
    definitions: readonly ActorDefinition[],
    before: EpisodeSettings,
  ) {
    this.options = options;
    this.probe = probe;
    this.rpc = rpc;
    this.methods = methods;
    this.episodeId = episodeId;
    this.world = world;
    this.definitions = definitions;
    this.#before = before;
  }

  /** Connects and, as owner, makes the server synchronous; nothing is left behind where it fails. */
  static async open(options: SessionOptions): Promise<CarlaSession> {
    const rpc = await RpcClient.connect(options);
    let world: WorldFeed | undefined;
    try {
      const probe = await probeProfile(rpc, options.profile);
      const methods = carlaMethods(probe.profile);
      const episode = await rpc.call(methods.getEpisodeInfo);
      const renew = streamToken(rpc, methods, probe.profile.hasSensorToken, episode.token.data);
      const { host, timeoutMs, retryMs = defaultRetryMs, notice = () => {} } = options;
      const wish = { host, token: await renew(), connectTimeoutMs: timeoutMs, retryMs, renew };
      world = new WorldFeed(probe.profile.layout, wish, notice);
      const before = await rpc.call(methods.getEpisodeSettings);
      const definitions = await rpc.call(methods.getActorDefinitions);
      const session = new CarlaSession(options, probe, rpc, methods, episode.id, world, definitions, before);
      try {
        await session.#takeOver();
      } catch (error) {
        // The server may have done it and only the answer was lost.
        await session.close();
        throw error;
      }
      return session;
    } catch (error) {
      world?.close();
      rpc.close();
      throw error;
    }
  }

  /** Whether the server is the simulator of this package: its roads are slippery by themselves. */
  get isOurSimulator(): boolean {
    return this.definitions.some(({ id }) => id.startsWith('vehicle.drivemcp.'));
  }

  /** Moves the world on (owner), or waits for it to move. Rejects with CARLA_EPISODE where the map was changed. */
  async step(): Promise<WorldState> {
    const state = await this.#next();
    if (state.episodeId !== this.episodeId)
      throw new DriveMcpError('CARLA_EPISODE', 'the server has loaded another map: every actor is gone');
    const { sync, sensorWaitMs = defaultSensorWaitMs } = this.options;
    if (sync === 'owner')
      await Promise.all(this.sensors.map((feed) => feed.reach(state.frame, state.timestampS, sensorWaitMs)));
    return state;
  }

  /** Streams that failed and were subscribed to again, and frames that were lost so. */
  get interruptions(): number {
    return this.world.interruptions + this.sensors.reduce((sum, feed) => sum + feed.interruptions, 0);
  }

  /** Descriptions of actors by number; asked for once each. */
  async actors(ids: readonly number[]): Promise<readonly Actor[]> {
    const unknown = ids.filter((id) => !this.#known.has(id));
    if (unknown.length > 0)
      for (const actor of await this.rpc.call(this.methods.getActorsById, unknown))
        this.#known.set(actor.id, actor);
    return ids.flatMap((id) => this.#known.get(id) ?? []);
  }

  /** The first vehicle with one of these role names; null where there is none. */
  async findVehicle(roles: readonly string[], state: WorldState): Promise<Actor | null> {
    const all = await this.actors(state.actors.map(({ id }) => id));
    const isVehicle = all.filter(({ description }) => description.id.startsWith('vehicle.'));
    return isVehicle.find((actor) => roles.includes(roleOf(actor))) ?? null;
  }

  /** Spawns what is destroyed again when the session ends. */
  async spawn(
    typeId: string,
    attributes: Readonly<Record<string, string>>,
    transform: Transform,
  ): Promise<Actor> {
    const description = this.#describe(typeId, attributes);
    const actor = await this.#asked(
      description,
      this.rpc.call(this.methods.spawnActor, description, transform),
    );
    this.#spawned.push(actor.id);
    return actor;
  }

  async addSensor({ typeId, attributes, transform, parentId }: SensorOrder): Promise<SensorFeed> {
    const { rpc, methods, options } = this;
    const { profile } = this.probe;
    const description = this.#describe(typeId, attributes);
    const actor = await this.#asked(
      description,
      profile.hasSocketName
        ? rpc.call(methods.spawnActorAtSocket, description, transform, parentId, rigid, '')
        : rpc.call(methods.spawnActorWithParent, description, transform, parentId, rigid),
    );
    // Sensors go first when everything is put back.
    this.#spawned.unshift(actor.id);
    const renew = streamToken(rpc, methods, this.probe.profile.hasSensorToken, actor.streamToken);
    const { host, timeoutMs, retryMs = defaultRetryMs, notice = () => {} } = options;
    const wish = { host, token: await renew(), connectTimeoutMs: timeoutMs, retryMs, renew };
    const kind = typeId.split('.').at(-1) ?? '';
    const asked = Number(description.attributes.find(({ id }) => id === 'sensor_tick')?.value ?? 0);
    const periodS = eventSensors.includes(kind) ? null : Number.isFinite(asked) ? Math.max(0, asked) : 0;
    const feed = new SensorFeed({ id: actor.id, typeId, periodS }, wish, notice);
    this.sensors.push(feed);
    // A frame that is made before the server has read the subscription is not sent: a call behind it is a fence.
    await feed.begun;
    await rpc.call(methods.version);
    return feed;
  }

  control(id: number, control: VehicleControl): Promise<void> {
    return this.rpc.call(this.methods.applyControl, id, control);
  }

  /** What the simulator of this package tells of a vehicle's brakes, tyres and frames; null elsewhere, and of older ones. */
  async condition(id: number): Promise<VehicleCondition | null> {
    if (!this.isOurSimulator || !this.#tellsCondition) return null;
    try {
      return await this.rpc.call(this.methods.getVehicleCondition, id);
    } catch (error) {
      if (!(error instanceof DriveMcpError) || !error.message.includes(unknownMethodText)) throw error;
      this.#tellsCondition = false;
      return null;
    }
  }

  weather(): Promise<WeatherParameters> {
    return this.rpc.call(this.methods.getWeather);
  }

  setWeather(weather: WeatherParameters): Promise<void> {
    return this.rpc.call(this.methods.setWeather, weather);
  }

  /** OpenDRIVE text of the map. */
  async map(): Promise<string> {
    if (this.probe.profile.hasMapData) return this.rpc.call(this.methods.getMapData);
    return (await this.rpc.call(this.methods.getMapInfoWithData)).openDrive;
  }

  async spawnPoints(): Promise<readonly Transform[]> {
    const { rpc, methods, probe } = this;
    const info = probe.profile.hasMapData
      ? await rpc.call(methods.getMapInfo)
      : await rpc.call(methods.getMapInfoWithData);
    return info.spawnPoints;
  }

  /**
   * Destroys what was spawned, sensors first, and restores the settings. Goes on where one of them fails; what could not
   * be put back is returned. May be called more than once.
   */
  async close(): Promise<readonly string[]> {
    if (this.#isClosed) return [];
    this.#isClosed = true;
    for (const feed of this.sensors) feed.close();
    const { rpc, methods, probe, options, episodeId } = this;
    const left = await putBack(rpc, options, {
      profile: probe.profile,
      methods,
      episodeId,
      spawned: this.#spawned,
      unanswered: this.#unanswered,
      seen: new Set(this.world.latest?.actors.map(({ id }) => id) ?? []),
      settings: options.sync === 'owner' ? { before: this.#before, ours: this.#ours } : null,
    });
    this.world.close();
    rpc.close();
    return left;
  }

  /** Remembers what may have been made although no answer says so. */
  async #asked(description: ActorDescription, made: Promise<Actor>): Promise<Actor> {
    try {
      return await made;
    } catch (error) {
      if (!(error instanceof DriveMcpError) || error.code !== 'CARLA_REFUSED')
        this.#unanswered.push(description);
      throw error;
    }
  }

  async #next(): Promise<WorldState> {
    const { sync, timeoutMs } = this.options;
    const seen = this.world.latest?.frame ?? 0;
    for (let lost = 0; lost < longestLoss; lost++) {
      const wanted = sync === 'owner' ? Number(await this.rpc.call(this.methods.tickCue)) : seen + 1;
      const state = await this.world.reach(wanted, timeoutMs);
      if (state !== null) return state;
      await this.rpc.call(this.methods.version);
    }
    throw new DriveMcpError('CARLA_GONE', `the world's stream was lost ${longestLoss} times in one step`);
  }

  get #ours(): EpisodeSettings {
    return { ...this.#before, synchronousMode: true, fixedDeltaS: this.options.fixedDeltaS };
  }

  async #takeOver(): Promise<void> {
    const { sync, fixedDeltaS } = this.options;
    if (sync !== 'owner') return;
    const { maxSubstepDeltaS, maxSubsteps } = this.#before;
    if (maxSubsteps > 0 && maxSubstepDeltaS > 0 && fixedDeltaS > maxSubstepDeltaS * maxSubsteps + 1e-9)
      throw new DriveMcpError(
        'CARLA_REFUSED',
        `a step of ${fixedDeltaS} s is longer than ${maxSubsteps} substeps of ${maxSubstepDeltaS} s`,
      );
    await this.rpc.call(this.methods.setEpisodeSettings, this.#ours);
  }

  /** Types of attributes are echoed from the definition: their numbers differ between versions. */
  #describe(typeId: string, attributes: Readonly<Record<string, string>>): ActorDescription {
    const definition = this.definitions.find(({ id }) => id === typeId);
    if (definition === undefined)
      throw new DriveMcpError('CARLA_REFUSED', `the server has no blueprint ${typeId}`);
    return {
      uid: definition.uid,
      id: typeId,
      attributes: definition.attributes
        .filter(({ id, isModifiable }) => isModifiable || attributes[id] !== undefined)
        .map(({ id, type, value }) => ({ id, type, value: attributes[id] ?? value })),
    };
  }
}

export function roleOf({ description }: Actor): string {
  return description.attributes.find(({ id }) => id === 'role_name')?.value ?? '';
}
