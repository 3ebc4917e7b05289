/**
 * The ego's camera as an output of the bridge: hangs the sensor on the ego, takes its pictures, encodes them one at a time.
 * A picture that comes while one is being encoded waits, one at most, and is replaced by a newer one.
 */
import type { DriveMcpError } from '../../../daemon/core/errors.js';
import type { SensorFeed } from '../../carla/session/sensor-feed.js';
import { type CameraImage, readImage } from '../../carla/stream/sensor-data.js';
import { noRotation } from '../../carla/wire/geometry.js';
import type { BridgeOutput, BridgeScene, BridgeStep, OutputCounters } from '../bridge-output.js';
import type { CameraFrame, CameraFrames, CameraSize } from './camera-frame.js';
import type { JpegEncoder } from './jpeg-encoder.js';
import { WindscreenOverlay } from './windscreen-overlay.js';

/** What is sent: servers of the pictures, opened and closed with the camera. */
export interface CameraServer {
  readonly name: string;
  /** the port it got */
  readonly port: number;
  open(): Promise<void>;
  counters(): OutputCounters;
  close(): Promise<void>;
}

/** Behind the windscreen of a car of ordinary height, CARLA's axes, m from the middle of the ego. */
const mount = { location: { x: 0.6, y: 0, z: 1.35 }, rotation: noRotation };

type Waiting = Omit<CameraFrame, 'readyWallUs' | 'jpeg'> & { readonly image: CameraImage };

export class EgoCamera implements BridgeOutput {
  readonly name = 'camera';
  readonly #size: CameraSize;
  readonly #encoder: JpegEncoder;
  readonly #frames: CameraFrames;
  readonly #servers: readonly CameraServer[];
  readonly #wallUs: () => number;
  readonly #told: (name: string, port: number) => void;
  #fail: (error: DriveMcpError) => void = () => {};
  #feed: SensorFeed | null = null;
  /** the last step, with its time on the server's clock and the bridge's; null until a session has made one */
  #last: Pick<BridgeStep, 'timestampS' | 'tUs' | 'windscreen'> | null = null;
  #lastTUs = -1;
  #waiting: Waiting | null = null;
  #isEncoding = false;
  #isClosed = false;
  readonly #overlay = new WindscreenOverlay();
  #missedBefore = 0;
  /** pictures that were replaced by a newer one before they were encoded */
  #replaced = 0;
  #unreadable = 0;

  constructor(parts: {
    readonly size: CameraSize;
    readonly encoder: JpegEncoder;
    readonly frames: CameraFrames;
    readonly servers: readonly CameraServer[];
    readonly wallUs: () => number;
    /** a server listens */
    readonly told: (name: string, port: number) => void;
  }) {
    this.#size = parts.size;
    this.#encoder = parts.encoder;
    this.#frames = parts.frames;
    this.#servers = parts.servers;
    this.#wallUs = parts.wallUs;
    this.#told = parts.told;
  }

  /** its pictures, for whoever is beside the servers */
  get frames(): CameraFrames {
    return this.#frames;
  }

  async open(fail: (error: DriveMcpError) => void): Promise<void> {
    this.#fail = fail;
    for (const server of this.#servers) {
      await server.open();
      this.#told(server.name, server.port);
    }
  }

  async begin({ session, ego }: BridgeScene): Promise<void> {
    this.#missedBefore += this.#feed?.missed ?? 0;
    const { widthPx, heightPx, rateHz } = this.#size;
    this.#feed = await session.addSensor({
      typeId: 'sensor.camera.rgb',
      attributes: {
        image_size_x: String(widthPx),
        image_size_y: String(heightPx),
        fov: '90',
        sensor_tick: String(1 / rateHz),
      },
      transform: mount,
      parentId: ego.id,
    });
    this.#last = null;
    // Not only with the steps: in a world that others move, a picture would wait for the next one.
    this.#feed.arrived = () => this.#look();
  }

  step({ timestampS, tUs, windscreen }: BridgeStep): void {
    this.#last = { timestampS, tUs, windscreen };
    this.#look();
    // The feed has told why. An old picture would look like a world that stands still.
    if (this.#feed !== null && this.#feed.end !== null) this.#frames.forget();
  }

  counters(): OutputCounters {
    return {
      published: this.#frames.published,
      replaced: this.#replaced + this.#missedBefore + (this.#feed?.missed ?? 0),
      unreadable: this.#unreadable,
      lost: this.#feed !== null && this.#feed.end !== null,
      ...Object.fromEntries(
        this.#servers.flatMap((server) =>
          Object.entries(server.counters()).map(([key, value]) => [`${server.name}_${key}`, value]),
        ),
      ),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting = null;
    for (const server of this.#servers) await server.close();
    await this.#encoder.close();
  }

  #look(): void {
    const last = this.#last;
    if (last === null || this.#isClosed) return;
    const message = this.#feed?.take() ?? null;
    if (message === null) return;
    const receivedWallUs = this.#wallUs();
    const { frame, timestampS } = message.header;
    const tUs = last.tUs + Math.round((timestampS - last.timestampS) * 1e6);
    let image: CameraImage;
    try {
      image = this.#overlay.over(readImage(message.payload), last.windscreen, tUs / 1e6);
    } catch {
      this.#unreadable++;
      return;
    }
    // RTP and players expect a clock that goes on, whatever a server says of its frames.
    this.#lastTUs = Math.max(tUs, this.#lastTUs + 1);
    if (this.#waiting !== null) this.#replaced++;
    const { widthPx, heightPx } = image;
    this.#waiting = { image, frame, timestampS, tUs: this.#lastTUs, receivedWallUs, widthPx, heightPx };
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#isEncoding) return;
    this.#isEncoding = true;
    try {
      for (let next = this.#take(); next !== null; next = this.#take()) {
        const { image, ...picture } = next;
        const jpeg = await this.#encoder.encode(image);
        if (!this.#isClosed) this.#frames.publish({ ...picture, readyWallUs: this.#wallUs(), jpeg });
      }
    } catch (error) {
      if (!this.#isClosed) this.#fail(error as DriveMcpError);
    } finally {
      this.#isEncoding = false;
    }
  }

  #take(): Waiting | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }
}
