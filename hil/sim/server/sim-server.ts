/**
 * The simulator behind CARLA's sockets: RPC on one port, streams on the next, with the codecs of the client. In
 * synchronous mode the world moves by `tick_cue` alone; in asynchronous mode by the clock. Real CARLA stays synchronous
 * when the client that made it so dies, and stands still for everybody; this one goes back to asynchronous.
 */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { CarlaProfile } from '../../carla/profile/profile.js';
import { carlaMethods } from '../../carla/rpc/methods.js';
import { RefusedCall, RpcServer } from '../../carla/rpc/rpc-server.js';
import { StreamServer } from '../../carla/stream/stream-server.js';
import { defaultEpisodeSettings, type EpisodeSettings } from '../../carla/wire/episode.js';
import { readOpenDrive } from '../../opendrive/read-map.js';
import { mapText } from '../maps/map-catalogue.js';
import { SimWorld } from '../world/sim-world.js';
import type { WorldScenario } from '../world/world-scenario.js';
import { bindActors } from './bind-actors.js';
import { bindEpisode } from './bind-episode.js';
import { Episode } from './episode.js';
import { collision, gnss, imu } from './plain-sensors.js';
import type { SensorProducer } from './sensor-actor.js';
import { clientMapName, type ServedWorld } from './served-world.js';

/** How long a step waits for a reader that does not read, in synchronous mode. */
const slowReaderMs = 5000;
const asyncStepS = 0.05;
/** Shorter steps would only keep the machine busy. */
const shortestStepS = 0.001;
/** Queue `ticks`: steps that were asked for and not made yet; one more is refused. */
const maxWaitingTicks = 256;

export interface SimServerOptions {
  readonly host: string;
  /** RPC; streams take the next one. 0: two free ones. */
  readonly port: number;
  readonly profile: CarlaProfile;
  readonly scenario: WorldScenario;
  /** OpenDRIVE text of the scenario's map where that is none of the bundled ones */
  readonly scenarioMapText?: string;
  /** further sensors by type id: camera, LiDAR */
  readonly producers: ReadonlyMap<string, SensorProducer>;
  /** what `version` answers */
  readonly version: string;
  /** synchronous from the start: nothing moves before a client ticks */
  readonly isSynchronous: boolean;
  /** asynchronous mode: how many times faster than the clock; 1 = real time */
  readonly speed: number;
  /** a call or a step that failed in a way nobody foresaw, by name; behind a failed step the clock stands */
  readonly failed?: (what: string, error: unknown) => void;
}

export class SimServer implements ServedWorld {
  readonly options: SimServerOptions;
  readonly rpc: RpcServer;
  readonly streams = new StreamServer();
  settings: EpisodeSettings;
  /** OpenDRIVE text a client has handed over */
  clientMap: string | null = null;
  /** called behind every step, also in synchronous mode */
  stepped: (episode: Episode) => void = () => {};
  #episode: Episode | null = null;
  #mapText = '';
  #synchronousOwner: number | null = null;
  readonly #failed: (what: string, error: unknown) => void;
  #stepping: Promise<void> = Promise.resolve();
  #waitingTicks = 0;
  /** which clock is the one that runs */
  #clock = 0;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;
  #ports: { readonly rpc: number; readonly streams: number } | null = null;

  constructor(options: SimServerOptions) {
    this.options = options;
    this.settings = {
      ...defaultEpisodeSettings,
      synchronousMode: options.isSynchronous,
      fixedDeltaS: asyncStepS,
    };
    const { failed = () => {} } = options;
    this.#failed = failed;
    this.rpc = new RpcServer((connection) => this.#gone(connection), failed);
  }

  get episode(): Episode {
    if (this.#episode === null) throw new RefusedCall('episode not ready');
    return this.#episode;
  }

  get mapText(): string {
    return this.#mapText;
  }

  get ports(): { readonly rpc: number; readonly streams: number } {
    if (this.#ports === null) throw new DriveMcpError('INVARIANT', 'the simulator does not listen yet');
    return this.#ports;
  }

  /** Loads the scenario's map and opens both ports; rejects with SIM_PORT_TAKEN. */
  async start(): Promise<{ readonly rpc: number; readonly streams: number }> {
    const { host, port, profile } = this.options;
    const streams = await this.#listen(() => this.streams.listen(host, port === 0 ? 0 : port + 1), port + 1);
    this.#ports = { rpc: port, streams };
    this.load(this.options.scenario.map);
    const methods = carlaMethods(profile);
    bindEpisode(this, methods);
    bindActors(this, methods);
    const rpc = await this.#listen(() => this.rpc.listen(host, port), port).catch(async (error: unknown) => {
      await this.streams.close();
      throw error;
    });
    this.#ports = { rpc, streams };
    this.#schedule();
    return this.#ports;
  }

  async stop(): Promise<void> {
    // An owner of the ticks that is cut off here must not set the clock going again.
    this.#isStopped = true;
    this.#clock++;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    // Sockets first: a step that waits for a slow reader ends with the reader.
    await Promise.all([this.rpc.close(), this.streams.close()]);
    await this.#stepping;
  }

  /** Begins a new episode on a map by name; actors and sensors of the old one are gone. */
  load(name: string): void {
    const own = name.split('/').at(-1) ?? name;
    const isScenarios = own === this.options.scenario.map;
    const text = this.#textOf(own, isScenarios);
    const map = readOpenDrive(text, `${own}.xodr`);
    const scenario = isScenarios
      ? this.options.scenario
      : { ...this.options.scenario, map: own, ego: null, vehicles: [], walkers: [], displays: [] };
    // Before the old one ends: a map that cannot be a world leaves things as they are.
    const world = new SimWorld(scenario, { ...map, name: own });
    const before = this.#episode;
    before?.end();
    this.#mapText = text;
    this.#episode = new Episode({
      id: before === null ? 1n : before.options.id + 1n,
      profile: this.options.profile,
      world,
      streams: this.streams,
      streamPort: this.ports.streams,
      producers: this.#producers(),
      firstStreamId: before?.nextStreamId ?? 2,
      firstFrame: before?.frame ?? 0,
    });
  }

  #textOf(name: string, isScenarios: boolean): string {
    if (name === clientMapName && this.clientMap !== null) return this.clientMap;
    return (isScenarios ? this.options.scenarioMapText : undefined) ?? mapText(name);
  }

  /** One step, behind all that were asked for before it; resolves with the frame it made. */
  tick(): Promise<number> {
    if (this.#waitingTicks >= maxWaitingTicks)
      return Promise.reject(new RefusedCall(`${maxWaitingTicks} ticks are waiting already`));
    this.#waitingTicks++;
    const step = this.#stepping.then(async () => {
      const { episode } = this;
      await episode.step(this.stepS, this.settings.synchronousMode ? slowReaderMs : 0);
      this.stepped(episode);
      return episode.frame;
    });
    const made = (): void => {
      this.#waitingTicks--;
    };
    this.#stepping = step.then(made, made);
    return step;
  }

  get stepS(): number {
    return this.settings.fixedDeltaS ?? asyncStepS;
  }

  /** New settings by a connection; who makes it synchronous is remembered. */
  configure(settings: EpisodeSettings, connection: number): void {
    const { fixedDeltaS } = settings;
    const isStep = fixedDeltaS === null || (fixedDeltaS >= shortestStepS && fixedDeltaS <= 1);
    if (!isStep && fixedDeltaS !== 0)
      throw new RefusedCall(`fixed_delta_seconds ${fixedDeltaS}: ${shortestStepS} to 1 s, or 0 for none`);
    this.settings = { ...settings, fixedDeltaS: fixedDeltaS === 0 ? null : fixedDeltaS };
    this.#synchronousOwner = settings.synchronousMode ? connection : null;
    this.#schedule();
  }

  #gone(connection: number): void {
    if (connection !== this.#synchronousOwner) return;
    this.#synchronousOwner = null;
    this.settings = { ...this.settings, synchronousMode: this.options.isSynchronous };
    this.#schedule();
  }

  /** Asynchronous mode: due times on an absolute grid, so that a late step does not make all later ones late. */
  #schedule(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    // A step of the clock before may be waiting still: it must not set that clock going again.
    const clock = ++this.#clock;
    if (this.settings.synchronousMode || this.#isStopped) return;
    const periodMs = (this.stepS * 1000) / this.options.speed;
    let dueMs = performance.now() + periodMs;
    const run = (): void => {
      if (clock !== this.#clock) return;
      this.#timer = setTimeout(
        () => {
          this.tick().then(next, (error: unknown) => {
            // Too many ticks are waiting: their owner made them while it was synchronous.
            if (error instanceof RefusedCall) next();
            else this.#failed('step', error);
          });
        },
        Math.max(0, dueMs - performance.now()),
      );
    };
    const next = (): void => {
      dueMs = Math.max(dueMs + periodMs, performance.now() - 5 * periodMs);
      run();
    };
    run();
  }

  #producers(): ReadonlyMap<string, SensorProducer> {
    return new Map<string, SensorProducer>([
      ['sensor.other.gnss', gnss],
      ['sensor.other.imu', imu],
      ['sensor.other.collision', (moment) => collision(moment, (actor) => this.episode.wire(actor))],
      ...this.options.producers,
    ]);
  }

  async #listen(listen: () => Promise<number>, port: number): Promise<number> {
    try {
      return await listen();
    } catch (cause) {
      const { host } = this.options;
      throw new DriveMcpError(
        'SIM_PORT_TAKEN',
        `cannot listen on ${host}:${port}: ${(cause as Error).message}`,
        { cause },
      );
    }
  }
}
