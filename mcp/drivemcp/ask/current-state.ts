/** What is known now: from a running daemon over its local read-only socket, else what the caller says. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { JsonObject } from '../../../daemon/core/tick.js';
import { type RoadSurface, roadSurfaces, type SpeedUnit } from '../../../daemon/core/world/facts.js';
import { jurisdictionProfile } from '../../../daemon/core/world/jurisdiction-profiles.js';
import { askDaemon } from '../../../daemon/rpc/client/ask-daemon.js';
import { membersOf, numberOf, textOf } from '../daemon-view.js';

export interface CurrentState {
  readonly source: 'daemon' | 'given' | 'none';
  readonly simulated: boolean | null;
  readonly tick: number | null;
  readonly tS: number | null;
  readonly mode: string | null;
  readonly jurisdiction: string | null;
  readonly speedMps: number | null;
  /** flat context of the rules expert; what the caller gave wins */
  readonly context: JsonObject;
  readonly surface: RoadSurface | null;
  /** members of the weather as the weather expert takes them */
  readonly weather: JsonObject;
  readonly sign: { readonly value: number; readonly unit: SpeedUnit } | null;
  /** confidence of each thing that was observed, 0…1 */
  readonly confidence: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
}

export interface GivenState {
  readonly jurisdiction: string | null;
  readonly context: JsonObject;
}

/** A daemon that does not run or does not answer is no error: then only what was given is known. */
export async function currentState(
  socketPath: string,
  given: GivenState,
  signal: AbortSignal,
): Promise<CurrentState> {
  const ask = (subject: 'world' | 'signals' | 'status', scope: string, paths?: readonly string[]) =>
    askDaemon(socketPath, { subject, scopes: [scope], ...(paths ? { paths } : {}) }, signal);
  const speedPath = 'Vehicle.Speed';
  try {
    const [world, signals, status] = await Promise.all([
      ask('world', 'read:world'),
      ask('signals', `read:${speedPath}`, [speedPath]),
      ask('status', 'read:status'),
    ]);
    return ofDaemon(world, signals, status, given);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DriveMcpError)) throw error;
    const isAbsent = error.code === 'DAEMON_ABSENT';
    return ofGiven(given, isAbsent ? [] : [`the daemon was not heard: ${error.message}`]);
  }
}

function ofGiven({ jurisdiction, context }: GivenState, notes: readonly string[]): CurrentState {
  const hasAny = jurisdiction !== null || Object.keys(context).length > 0;
  const speedKmh = numberOf(context['speed_kmh']);
  return {
    source: hasAny ? 'given' : 'none',
    simulated: null,
    tick: null,
    tS: null,
    mode: null,
    jurisdiction,
    speedMps: speedKmh === null ? null : speedKmh / 3.6,
    context,
    surface: context['wet'] === true ? 'wet' : context['wet'] === false ? 'dry' : null,
    weather: {},
    sign: null,
    confidence: {},
    notes,
  };
}

/** What is older than its time to live is not known any more. */
function fresh(fact: JsonObject): JsonObject {
  return fact['is_fresh'] === true ? membersOf(fact['value']) : {};
}

/** An age beyond which a speed says nothing about now. */
const speedMaxAgeMs = 1000;

function ofDaemon(
  moment: JsonObject,
  signals: JsonObject,
  status: JsonObject,
  given: GivenState,
): CurrentState {
  const world = membersOf(moment['world']);
  const jurisdiction = given.jurisdiction ?? textOf(world['jurisdiction']);
  const facts = {
    road: membersOf(world['road']),
    weather: membersOf(world['weather']),
    sign: membersOf(world['sign']),
    gantry: membersOf(world['gantry']),
  };
  const road = fresh(facts.road);
  const weather = fresh(facts.weather);
  const measured = membersOf(membersOf(signals['signals'])['Vehicle.Speed']);
  const age = numberOf(measured['age_ms']);
  const speedMps = age !== null && age <= speedMaxAgeMs ? numberOf(measured['value']) : null;
  const surface = roadSurfaces.find((one) => one === road['surface']) ?? null;
  const confidence: Record<string, number> = {};
  for (const [name, fact] of Object.entries(facts)) {
    const conf = numberOf(fact['confidence']);
    if (conf !== null && fact['is_fresh'] === true) confidence[name] = conf;
  }
  const unit = jurisdiction === null ? null : (jurisdictionProfile(jurisdiction)?.unit ?? null);
  const shown = fresh(facts.sign);
  return {
    source: 'daemon',
    simulated:
      typeof membersOf(status['status'])['simulated'] === 'boolean'
        ? membersOf(status['status'])['simulated'] === true
        : null,
    tick: numberOf(moment['tick']),
    tS: numberOf(moment['t_s']),
    mode: textOf(moment['mode']),
    jurisdiction,
    speedMps,
    context: {
      ...roadContext(road),
      ...wetContext(surface),
      ...postedContext(facts, unit),
      ...(speedMps === null ? {} : { speed_kmh: Math.round(Math.max(0, speedMps) * 36) / 10 }),
      ...given.context,
    },
    surface,
    weather: weatherArgs(weather),
    sign: signOf(shown),
    confidence,
    notes: [],
  };
}

function roadContext(road: JsonObject): JsonObject {
  const roadClass = textOf(road['roadClass']);
  const isDual = roadClass === 'rural' && road['carriageway'] === 'separated';
  const name = isDual ? 'dual_carriageway' : roadClass;
  return {
    ...(name === null ? {} : { road: name }),
    ...(typeof road['lit'] === 'boolean' ? { lit: road['lit'] } : {}),
    ...(numberOf(road['lanesPerDir']) === null ? {} : { lanes_per_dir: road['lanesPerDir'] as number }),
  };
}

/** Wet means a closed film of water; a damp road is not wet in the sense of a plate. */
function wetContext(surface: RoadSurface | null): JsonObject {
  if (surface === 'wet' || surface === 'heavy_rain' || surface === 'standing_water') return { wet: true };
  return surface === 'dry' || surface === 'damp' ? { wet: false } : {};
}

function postedContext(
  { sign, gantry }: { readonly sign: JsonObject; readonly gantry: JsonObject },
  unit: SpeedUnit | null,
): JsonObject {
  const shown = fresh(sign);
  const above = fresh(gantry);
  const number = shown['unit'] === unit ? numberOf(shown['value']) : null;
  const lit = above['unit'] === unit ? numberOf(above['value']) : null;
  return {
    ...(number === null ? {} : { sign: String(number) }),
    ...(lit === null ? {} : { gantry: String(lit) }),
  };
}

function signOf(shown: JsonObject): CurrentState['sign'] {
  const value = numberOf(shown['value']);
  const { unit } = shown;
  return value !== null && (unit === 'km/h' || unit === 'mph') ? { value, unit } : null;
}

function weatherArgs(weather: JsonObject): JsonObject {
  const names = [
    ['precipitation', 'precipitation'],
    ['precipitationDeposits', 'precipitation_deposits'],
    ['wetness', 'wetness'],
  ] as const;
  return Object.fromEntries(
    names.flatMap(([from, to]) => {
      const value = numberOf(weather[from]);
      return value === null ? [] : [[to, value]];
    }),
  );
}
