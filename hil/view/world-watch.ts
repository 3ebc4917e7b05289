/**
 * Follows a CARLA server for the page: never ticks it, changes nothing but the one camera it may hang on the ego, and
 * connects again where the connection ends or the map changes.
 */
import { DriveMcpError } from '../../daemon/core/errors.js';
import { CarlaSession } from '../carla/session/carla-session.js';
import type { SensorFeed } from '../carla/session/sensor-feed.js';
import { type CameraImage, readImage } from '../carla/stream/sensor-data.js';
import type { Actor } from '../carla/wire/actor.js';
import { noRotation } from '../carla/wire/geometry.js';
import type { WeatherParameters } from '../carla/wire/weather.js';
import { indexRoads, type RoadIndex } from '../opendrive/locate.js';
import { readOpenDrive } from '../opendrive/read-map.js';
import { drawingOf, type MapDrawing } from './map-drawing.js';
import { egoView, type ViewState, viewActors } from './view-state.js';

export interface WatchOptions {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  /** false: nothing is spawned in the server */
  readonly wantsCamera: boolean;
  /** what changing signs show, where the simulator runs in this process */
  displays(): ViewState['displays'];
}

const egoRoles = ['hero', 'ego_vehicle'];
const periodMs = 100;
const retryMs = 1000;
const weatherMs = 1000;
/** a world that has not moved for so long stands still */
const stillMs = 1500;

export interface CameraFrame extends CameraImage {
  readonly frame: number;
}

export class WorldWatch {
  readonly #options: WatchOptions;
  #session: CarlaSession | null = null;
  #drawing: MapDrawing | null = null;
  #index: RoadIndex | null = null;
  #mapVersion = 0;
  #mapNote = '';
  #weather: WeatherParameters | null = null;
  #weatherAtMs = 0;
  #isAskingWeather = false;
  #moved = { frame: -1, atMs: 0 };
  #pace = { tS: 0, atMs: 0, factor: 0 };
  #state: ViewState;
  #camera: SensorFeed | null = null;
  #isCameraWanted = false;
  #isCameraRefused = false;
  #cameraNote = 'nobody has asked for it yet';
  #image: CameraFrame | null = null;
  #missedPictures = 0;
  #isClosed = false;
  #loop: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#state = this.#without('connecting', 'connecting');
    if (!options.wantsCamera) this.#cameraNote = 'switched off';
  }

  get state(): ViewState {
    return this.#state;
  }

  get drawing(): MapDrawing | null {
    return this.#drawing;
  }

  /** The newest picture; `note` says why there is none. The first call asks for the camera. */
  camera(): { readonly image: CameraFrame | null; readonly note: string } {
    this.#isCameraWanted = this.#options.wantsCamera;
    return { image: this.#image, note: this.#cameraNote };
  }

  /** Pictures of the camera that a newer one replaced before anybody looked. */
  get missedPictures(): number {
    return this.#missedPictures + (this.#camera?.missed ?? 0);
  }

  /** Connects for the first time; rejects with CARLA_UNREACHABLE and what the session throws. */
  async start(): Promise<void> {
    await this.#connect();
    this.#loop = this.#run();
  }

  /** Ends the session; the camera is destroyed. What could not be put back is returned. */
  async stop(): Promise<readonly string[]> {
    this.#isClosed = true;
    this.#wake();
    await this.#loop;
    return (await this.#session?.close()) ?? [];
  }

  async #connect(): Promise<void> {
    const { host, port, timeoutMs } = this.#options;
    this.#missedPictures = this.missedPictures;
    this.#camera = null;
    this.#image = null;
    this.#isCameraRefused = false;
    this.#session = await CarlaSession.open({
      host,
      port,
      timeoutMs,
      sync: 'async',
      fixedDeltaS: 0.05,
      profile: null,
    });
    await this.#readMap(this.#session);
  }

  async #readMap(session: CarlaSession): Promise<void> {
    this.#mapVersion++;
    this.#mapNote = '';
    try {
      const map = readOpenDrive(await session.map(), 'the map of the server');
      this.#drawing = drawingOf(map);
      this.#index = indexRoads(map);
    } catch (error) {
      if (!(error instanceof DriveMcpError) || error.code !== 'MAP_INVALID') throw error;
      this.#drawing = null;
      this.#index = null;
      this.#mapNote = `the map cannot be drawn: ${error.message}`;
    }
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (this.#session === null) await this.#connect();
        if (this.#session !== null) await this.#look(this.#session);
        await this.#pause(periodMs);
      } catch (error) {
        if (!(error instanceof DriveMcpError)) throw error;
        this.#state = this.#without('connecting', error.message);
        await this.#session?.close();
        this.#session = null;
        await this.#pause(retryMs);
      }
    }
  }

  async #look(session: CarlaSession): Promise<void> {
    const { latest } = session.world;
    if (!session.rpc.isOpen) throw new DriveMcpError('CARLA_GONE', 'the server has closed the connection');
    const nowMs = performance.now();
    if (latest === null) return;
    if (latest.episodeId !== session.episodeId)
      throw new DriveMcpError('CARLA_EPISODE', 'the server has loaded another map');
    if (latest.frame !== this.#moved.frame) this.#moved = { frame: latest.frame, atMs: nowMs };
    const isStill = nowMs - this.#moved.atMs > stillMs;
    this.#askWeather(session, nowMs);
    // A synchronous server that nobody ticks answers no call: only what is known already is shown.
    const actors = isStill ? [] : await session.actors(latest.actors.map(({ id }) => id));
    if (isStill) {
      this.#state = {
        ...this.#state,
        status: 'still',
        message: 'the world stands still: nobody ticks it',
        real_time_factor: 0,
      };
      return;
    }
    const { hasSignId } = session.world.layout;
    const ego = await session.findVehicle(egoRoles, latest);
    await this.#lookThroughCamera(session, ego);
    if (nowMs - this.#pace.atMs > 1000) {
      const factor = ((latest.timestampS - this.#pace.tS) * 1000) / (nowMs - this.#pace.atMs);
      this.#pace = { tS: latest.timestampS, atMs: nowMs, factor: this.#pace.atMs === 0 ? 1 : factor };
    }
    this.#state = {
      status: 'live',
      message: this.#mapNote,
      server: this.#serverName(session),
      map_version: this.#mapVersion,
      frame: latest.frame,
      t_s: Math.round(latest.timestampS * 1000) / 1000,
      real_time_factor: Math.round(this.#pace.factor * 100) / 100,
      ego: ego === null ? null : egoView(latest, ego, this.#index, hasSignId),
      actors: viewActors(latest, new Map(actors.map((actor) => [actor.id, actor])), hasSignId),
      weather: this.#weather,
      displays: this.#options.displays(),
    };
  }

  /** One question at a time; a server that stands still does not answer it. */
  #askWeather(session: CarlaSession, nowMs: number): void {
    if (this.#isAskingWeather || nowMs - this.#weatherAtMs < weatherMs) return;
    this.#isAskingWeather = true;
    this.#weatherAtMs = nowMs;
    session
      .weather()
      .then(
        (weather) => {
          this.#weather = weather;
        },
        () => {},
      )
      .finally(() => {
        this.#isAskingWeather = false;
      });
  }

  async #lookThroughCamera(session: CarlaSession, ego: Actor | null): Promise<void> {
    if (!this.#isCameraWanted || this.#isCameraRefused) return;
    if (this.#camera !== null && this.#camera.end !== null) {
      this.#missedPictures = this.missedPictures;
      this.#camera = null;
      this.#image = null;
    }
    if (ego === null) {
      this.#cameraNote = 'there is no vehicle with the role hero or ego_vehicle';
      return;
    }
    if (this.#camera === null) {
      try {
        this.#camera = await session.addSensor({
          typeId: 'sensor.camera.rgb',
          attributes: { image_size_x: '640', image_size_y: '360', fov: '90', sensor_tick: '0.1' },
          transform: { location: { x: 1.2, y: 0, z: 1.4 }, rotation: noRotation },
          parentId: ego.id,
        });
        this.#cameraNote = 'no picture yet';
      } catch (error) {
        if (!(error instanceof DriveMcpError) || error.code !== 'CARLA_REFUSED') throw error;
        this.#isCameraRefused = true;
        this.#cameraNote = `the server gives none: ${error.message}`;
        return;
      }
    }
    const message = this.#camera.take();
    if (message !== null) this.#image = { ...readImage(message.payload), frame: message.header.frame };
  }

  #serverName({ probe }: CarlaSession): string {
    const { host, port } = this.#options;
    return `CARLA ${probe.versionText.slice(0, 40)} at ${host}:${port}`;
  }

  #without(status: ViewState['status'], message: string): ViewState {
    return {
      status,
      message,
      server: `${this.#options.host}:${this.#options.port}`,
      map_version: this.#mapVersion,
      frame: 0,
      t_s: 0,
      real_time_factor: 0,
      ego: null,
      actors: [],
      weather: null,
      displays: null,
    };
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#isClosed) this.#wake();
    });
  }
}
