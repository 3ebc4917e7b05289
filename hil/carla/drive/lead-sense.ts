/** What the ego's LiDAR knows of the vehicle ahead: the sensor, its scan, and the track over scans. */
import type { Actor as SeenActor } from '../../../daemon/core/world/facts.js';
import type { CarlaProfile } from '../profile/profile.js';
import type { CarlaSession } from '../session/carla-session.js';
import type { SensorFeed } from '../session/sensor-feed.js';
import { readLidar } from '../stream/sensor-data.js';
import type { Actor } from '../wire/actor.js';
import { noRotation } from '../wire/geometry.js';
import type { EgoMotion } from './ego-motion.js';
import { LeadTrack } from './lead-track.js';
import { objectAhead } from './lidar-lead.js';

const lidarType = 'sensor.lidar.ray_cast';
const lidarHeightM = 1.75;
const lidarPeriodS = 0.1;

export class LeadSense {
  readonly #feed: SensorFeed;
  readonly #lidarFloats: CarlaProfile['lidarFloats'];
  readonly #bumperM: number;
  readonly #track = new LeadTrack();
  #seen: SeenActor | null = null;

  private constructor(feed: SensorFeed, lidarFloats: CarlaProfile['lidarFloats'], bumperM: number) {
    this.#feed = feed;
    this.#lidarFloats = lidarFloats;
    this.#bumperM = bumperM;
  }

  /** Attaches the sensor, which goes with the session; null where the server has none. */
  static async attach(session: CarlaSession, ego: Actor): Promise<LeadSense | null> {
    if (!session.definitions.some(({ id }) => id === lidarType)) return null;
    const feed = await session.addSensor({
      typeId: lidarType,
      attributes: {
        channels: '16',
        range: '100.0',
        points_per_second: '80000',
        // One whole turn a step: with less, a message would hold a part of the circle.
        rotation_frequency: String(1 / session.options.fixedDeltaS),
        upper_fov: '4.0',
        lower_fov: '-12.0',
        horizontal_fov: '60.0',
        sensor_tick: String(lidarPeriodS),
      },
      transform: { location: { x: 0, y: 0, z: lidarHeightM }, rotation: noRotation },
      parentId: ego.id,
    });
    return new LeadSense(feed, session.probe.profile.lidarFloats, ego.boundingBox.extent.x);
  }

  /** the vehicle ahead by the last scan; null where there is none, or none yet */
  get seen(): SeenActor | null {
    return this.#seen;
  }

  /** Takes a scan that has come; false where none has. */
  look(motion: EgoMotion, tUs: number): boolean {
    const message = this.#feed.take();
    if (message === null) return false;
    const { points } = readLidar(message.payload, this.#lidarFloats);
    const curvaturePerM = motion.vMps > 2 ? motion.yawRateRadps / motion.vMps : 0;
    const object = objectAhead(points, { curvaturePerM, bumperM: this.#bumperM, heightM: lidarHeightM });
    this.#seen = this.#track.update(object, tUs / 1e6);
    return true;
  }
}
