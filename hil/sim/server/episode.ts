/** One episode of the served world: a map, its actors, sensors, and the count of frames. */
import type { CarlaProfile } from '../../carla/profile/profile.js';
import { RefusedCall } from '../../carla/rpc/rpc-server.js';
import { writeEpisodeState } from '../../carla/stream/episode-state.js';
import { writeSensorHeader } from '../../carla/stream/sensor-header.js';
import type { StreamServer } from '../../carla/stream/stream-server.js';
import { writeToken } from '../../carla/stream/token.js';
import type { Actor, ActorDescription } from '../../carla/wire/actor.js';
import { noRotation, type Transform, zero } from '../../carla/wire/geometry.js';
import type { WorldActor } from '../world/actor.js';
import { blueprintOf } from '../world/blueprint.js';
import type { SimWorld } from '../world/sim-world.js';
import { attached, toPose, toTransform } from './carla-axes.js';
import { observe } from './observe-world.js';
import { attributeOf, type SensorActor, type SensorProducer } from './sensor-actor.js';
import { describe, descriptionOf, sensorActor, worldActor } from './wire-actors.js';

/** The world observer's stream in CARLA. */
export const worldStreamId = 1;
/** Sensors are numbered apart from the world's actors: the world's own numbers stay the same whoever watches. */
const firstSensorId = 100_000;
const maxSensors = 64;
/** of the depth camera in CARLA's registry of sensors, in every release */
const depthIndex = 1;

export interface EpisodeOptions {
  readonly id: bigint;
  readonly profile: CarlaProfile;
  readonly world: SimWorld;
  readonly streams: StreamServer;
  readonly streamPort: number;
  /** by type id; a sensor of another type cannot be spawned */
  readonly producers: ReadonlyMap<string, SensorProducer>;
  /** first number of the streams of this episode's sensors */
  readonly firstStreamId: number;
  readonly firstFrame: number;
}

export class Episode {
  readonly options: EpisodeOptions;
  readonly sensors = new Map<number, SensorActor>();
  readonly #descriptions = new Map<number, ActorDescription>();
  #frame: number;
  #nextSensor = firstSensorId;
  #nextStream: number;

  constructor(options: EpisodeOptions) {
    this.options = options;
    this.#frame = options.firstFrame;
    this.#nextStream = options.firstStreamId;
    options.streams.open(worldStreamId);
  }

  get frame(): number {
    return this.#frame;
  }

  get world(): SimWorld {
    return this.options.world;
  }

  get worldToken(): Buffer {
    return this.#token(worldStreamId);
  }

  /** Number of the next stream, for the episode that follows. */
  get nextStreamId(): number {
    return this.#nextStream;
  }

  token(streamId: number): Buffer {
    const isSensor = [...this.sensors.values()].some((sensor) => sensor.streamId === streamId);
    if (streamId !== worldStreamId && !isSensor) throw new RefusedCall(`stream ${streamId} not found`);
    return this.#token(streamId);
  }

  /** Steps the world and tells the streams; resolves when synchronous readers have taken it. */
  async step(deltaS: number, waitMs: number): Promise<void> {
    const { world, streams } = this.options;
    world.step(deltaS);
    this.#frame++;
    const sent = [
      streams.publish(
        worldStreamId,
        this.#header(this.#sensorIndex('world'), { location: zero, rotation: noRotation }),
        this.worldPayload(deltaS),
        waitMs,
      ),
    ];
    // Nothing is awaited before all have looked: no call of a client may come between two sensors of one frame, and
    // readers take the first message while the next one is made.
    for (const sensor of this.sensors.values()) sent.push(this.#sense(sensor, waitMs));
    await Promise.all(sent);
  }

  /** The world observer's payload of the present state. */
  worldPayload(deltaS: number): Buffer {
    const { profile, world, id } = this.options;
    const sensors = [...this.sensors.values()].map((sensor) => ({
      id: sensor.id,
      transform: this.transformOf(sensor),
    }));
    return writeEpisodeState(observe(world, sensors, profile, id, deltaS), profile.layout);
  }

  spawn(description: ActorDescription, transform: Transform, parentId: number | null): Actor {
    const blueprint = blueprintOf(description.id);
    if (blueprint === undefined) throw new RefusedCall('Spawn failed because of invalid actor description');
    const asked = new Map(description.attributes.map(({ id, value }) => [id, value]));
    const full = describe(this.options.profile, blueprint, asked);
    const role = asked.get('role_name') ?? '';
    if (description.id.startsWith('sensor.')) return this.#spawnSensor(full, transform, parentId);
    if (parentId !== null) throw new RefusedCall('only sensors are attached here');
    const pose = toPose(transform);
    const { world } = this.options;
    const actor = description.id.startsWith('walker.')
      ? world.spawnWalker(description.id, pose, role)
      : world.spawnVehicle(description.id, pose, role);
    if (world.egoId === null && (role === 'hero' || role === 'ego_vehicle')) world.egoId = actor.id;
    this.#descriptions.set(actor.id, full);
    return worldActor(this.options.profile, actor, full);
  }

  destroy(id: number): boolean {
    const sensor = this.sensors.get(id);
    if (sensor !== undefined) {
      this.options.streams.shut(sensor.streamId);
      return this.sensors.delete(id);
    }
    for (const attachedSensor of [...this.sensors.values()].filter(({ parentId }) => parentId === id))
      this.destroy(attachedSensor.id);
    this.#descriptions.delete(id);
    return this.options.world.destroy(id);
  }

  /** Unknown numbers are skipped, as in CARLA. */
  actors(ids: readonly number[]): readonly Actor[] {
    return ids.flatMap((id) => {
      const sensor = this.sensors.get(id);
      if (sensor !== undefined) return [sensorActor(sensor)];
      const actor = this.options.world.actors.get(id);
      return actor === undefined ? [] : [this.wire(actor)];
    });
  }

  wire(actor: WorldActor): Actor {
    const { profile } = this.options;
    return worldActor(profile, actor, this.#descriptions.get(actor.id) ?? descriptionOf(profile, actor));
  }

  transformOf(sensor: SensorActor): Transform {
    const parent = this.options.world.actors.get(sensor.parentId);
    return parent === undefined ? sensor.relative : attached(toTransform(parent.pose), sensor.relative);
  }

  /** As a client set it last: to the parent, of a sensor; of an actor in the world. */
  rotationOf(id: number): Transform['rotation'] {
    const sensor = this.sensors.get(id);
    if (sensor !== undefined) return sensor.relative.rotation;
    const actor = this.options.world.actors.get(id);
    return actor === undefined ? noRotation : toTransform(actor.pose).rotation;
  }

  /** Ends the sensors' streams; the world's own goes on with the next episode. */
  end(): void {
    for (const { streamId } of this.sensors.values()) this.options.streams.shut(streamId);
    this.sensors.clear();
  }

  #spawnSensor(description: ActorDescription, relative: Transform, parentId: number | null): Actor {
    const { producers, streams, world } = this.options;
    if (!producers.has(description.id))
      throw new RefusedCall('Spawn failed because of invalid actor description');
    if (this.sensors.size >= maxSensors) throw new RefusedCall(`${maxSensors} sensors are there already`);
    if (parentId !== null && !world.actors.has(parentId))
      throw new RefusedCall('unable to attach actor: parent actor not found');
    const streamId = this.#nextStream++;
    const sensor: SensorActor = {
      id: this.#nextSensor++,
      parentId: parentId ?? 0,
      description,
      relative,
      streamId,
      token: this.#token(streamId),
      periodS: 0,
      nextAtS: null,
    };
    const periodS = attributeOf(sensor, 'sensor_tick');
    streams.open(streamId);
    this.sensors.set(sensor.id, { ...sensor, periodS: Number.isFinite(periodS) ? Math.max(0, periodS) : 0 });
    return sensorActor(sensor);
  }

  async #sense(sensor: SensorActor, waitMs: number): Promise<void> {
    const { world, streams, producers, profile } = this.options;
    // Half a microsecond: steps are sums of hundredths, and a sensor of 0.1 s is due every second one of 0.05 s.
    const { nextAtS, periodS } = sensor;
    if (nextAtS !== null && world.tS < nextAtS - 5e-7) return;
    // The first message comes with the first step, and what follows keeps the period from there.
    sensor.nextAtS = Math.max((nextAtS ?? world.tS) + periodS, world.tS);
    // Nobody listens: an image that nobody sees is not drawn.
    if (streams.readers(sensor.streamId) === 0) return;
    const transform = this.transformOf(sensor);
    const payload = producers.get(sensor.description.id)?.({
      world,
      sensor,
      transform,
      parent: world.actors.get(sensor.parentId) ?? null,
      frame: this.#frame,
      profile,
      attribute: (id) => attributeOf(sensor, id),
    });
    if (payload === null || payload === undefined) return;
    await streams.publish(
      sensor.streamId,
      this.#header(this.#indexOf(sensor.description.id), transform),
      payload,
      waitMs,
    );
  }

  #token(streamId: number): Buffer {
    return writeToken({ streamId, port: this.options.streamPort, address: null });
  }

  #header(sensorIndex: number, transform: Transform): Buffer {
    return writeSensorHeader({
      sensorIndex,
      frame: this.#frame,
      timestampS: this.options.world.tS,
      transform,
    });
  }

  #indexOf(typeId: string): number {
    const kind = typeId.split('.').at(-1);
    if (kind === 'rgb') return this.#sensorIndex('camera');
    if (kind === 'depth') return depthIndex;
    // In every release the label camera is registered behind the colour camera.
    if (kind === 'semantic_segmentation') return this.#sensorIndex('camera') + 1;
    if (kind === 'ray_cast') return this.#sensorIndex('lidar');
    return kind === 'gnss' || kind === 'imu' || kind === 'collision' ? this.#sensorIndex(kind) : 0;
  }

  #sensorIndex(kind: keyof CarlaProfile['sensorIndex']): number {
    return this.options.profile.sensorIndex[kind];
  }
}

/** A token as it stands inside msgpack. */
export const tokenValue = (token: Buffer): { readonly data: Buffer } => ({ data: token });
