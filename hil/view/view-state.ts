/** What the page draws ten times a second: plain data with short keys, OpenDRIVE's axes. */
import type { WorldState } from '../carla/session/world-feed.js';
import { readTypeState } from '../carla/stream/type-state.js';
import type { Actor } from '../carla/wire/actor.js';
import type { WeatherParameters } from '../carla/wire/weather.js';
import type { RoadIndex } from '../opendrive/locate.js';
import { recordAt } from '../opendrive/road-line.js';

export interface ViewActor {
  readonly id: number;
  /** vehicle, walker, light */
  readonly k: 'v' | 'w' | 'l';
  readonly x: number;
  readonly y: number;
  /** heading, rad */
  readonly h: number;
  readonly l: number;
  readonly w: number;
  /** m/s along the heading */
  readonly v: number;
  /** of lights: 0 red, 1 yellow, 2 green, 3 off */
  readonly s?: number;
  /** role and type, as the server says: untrusted */
  readonly n: string;
}

export interface ViewState {
  readonly status: 'live' | 'still' | 'connecting';
  readonly message: string;
  readonly server: string;
  readonly map_version: number;
  readonly frame: number;
  readonly t_s: number;
  readonly real_time_factor: number;
  readonly ego: {
    readonly id: number;
    readonly limit: number | null;
    readonly unit: string;
    readonly place: string;
  } | null;
  readonly actors: readonly ViewActor[];
  readonly weather: WeatherParameters | null;
  /** what changing signs show, by id; null: this server does not tell */
  readonly displays: Readonly<
    Record<string, { readonly value: number | null; readonly wet: boolean }>
  > | null;
}

const radians = Math.PI / 180;
const milesCountries = new Set(['GBR', 'GB', 'USA', 'US']);

/** Sensors, spectators and signs are not drawn; signs stand on the map. */
export function viewActors(
  { actors }: WorldState,
  known: ReadonlyMap<number, Actor>,
  hasSignId: boolean,
): readonly ViewActor[] {
  return actors.flatMap((state): ViewActor[] => {
    const actor = known.get(state.id);
    const typeId = actor?.description.id ?? '';
    const k = kindOf(typeId);
    if (actor === undefined || k === null) return [];
    const { location, rotation } = state.transform;
    const { extent } = actor.boundingBox;
    const h = -rotation.yawDeg * radians;
    const { x: vx, y: vy } = state.velocityMps;
    const type = k === 'l' ? readTypeState(state.typeBytes, typeId, hasSignId) : null;
    const role = actor.description.attributes.find(({ id }) => id === 'role_name')?.value ?? '';
    return [
      {
        id: state.id,
        k,
        x: round(location.x, 100),
        y: round(-location.y, 100),
        h: round(h, 1000),
        l: round(extent.x * 2, 100),
        w: round(extent.y * 2, 100),
        // A walker's heading may lag behind its way: its speed is the length.
        v: round(k === 'w' ? Math.hypot(vx, vy) : vx * Math.cos(h) - vy * Math.sin(h), 100),
        ...(type?.kind === 'traffic-light' ? { s: type.state } : {}),
        n: `${role} ${typeId}`.trim().slice(0, 80),
      },
    ];
  });
}

function kindOf(typeId: string): ViewActor['k'] | null {
  if (typeId.startsWith('vehicle.')) return 'v';
  if (typeId.startsWith('walker.')) return 'w';
  return typeId === 'traffic.traffic_light' ? 'l' : null;
}

/** Limit at the ego in the unit of the country it is in: what the server says, else the road's type. */
export function egoView(
  state: WorldState,
  actor: Actor,
  index: RoadIndex | null,
  hasSignId: boolean,
): ViewState['ego'] {
  const own = state.actors.find(({ id }) => id === actor.id);
  if (own === undefined) return null;
  const { x, y } = own.transform.location;
  const at = index?.locate(x, -y) ?? null;
  const road = at === null ? undefined : recordAt(at.road.types, at.sM);
  const isMiles = milesCountries.has(road?.country ?? '');
  const type = readTypeState(own.typeBytes, actor.description.id, hasSignId);
  const saidKmh = type.kind === 'vehicle' && type.speedLimitKmh > 0 ? type.speedLimitKmh : null;
  const kmh = saidKmh ?? (road?.maxMps == null ? null : road.maxMps * 3.6);
  return {
    id: actor.id,
    limit: kmh === null ? null : Math.round(isMiles ? kmh / 1.609344 : kmh),
    unit: isMiles ? 'mph' : 'km/h',
    place: [road?.country, road?.type].filter(Boolean).join(' '),
  };
}

const round = (value: number, by: number): number => Math.round(value * by) / by;
