/**
 * Facts: what is known of the world, each with how sure we are, where it comes from and when it was observed.
 *
 * An absent fact is `undefined`: never 0, never NaN, never the word "unknown". Times are monotonic
 * microseconds; ages are differences of those. SI units inside (m, m/s, m/s²), °C and kPa as the field has them.
 */

export const provenances = [
  'perception',
  'drivelm',
  'can',
  'obd',
  'map',
  'vhal',
  'driver',
  'sim_oracle',
] as const;

/** Where a fact comes from. `sim_oracle` is simulator truth: refused outside runs labelled as analysis. */
export type Provenance = (typeof provenances)[number];

export interface Fact<T> {
  readonly value: T;
  /** 0…1 */
  readonly conf: number;
  readonly provenance: Provenance;
  readonly observedAtUs: number;
  readonly ttlUs: number;
}

export const roadSurfaces = [
  'dry',
  'damp',
  'wet',
  'heavy_rain',
  'standing_water',
  'snow',
  'ice',
  'unknown',
] as const;
export type RoadSurface = (typeof roadSurfaces)[number];

/** Closed vocabulary shared with the rulepacks. */
export const roadClasses = [
  'urban',
  'rural',
  'expressway',
  'motorway',
  'living_street',
  'cycle_street',
  'service',
] as const;
export type RoadClass = (typeof roadClasses)[number];

export type SpeedUnit = 'km/h' | 'mph';
export type DriveSide = 'left' | 'right';

/** One road user seen ahead. */
export interface Actor {
  readonly id: string;
  readonly cls: 'car' | 'truck' | 'bus' | 'motorcycle' | 'bicycle' | 'pedestrian' | 'other';
  /** bumper to bumper, m */
  readonly gapM: number;
  /** closing speed, m/s, positive = approaching */
  readonly closingMps: number;
  /** 0…1, how surely it is in our path; counted from 0.5 */
  readonly inPath: number;
}

export const signCategories = [
  'speed_limit',
  'end_limit',
  'stop',
  'yield',
  'no_entry',
  'no_overtake',
  'warning',
  'direction',
  'zone',
  'town_entry',
  'town_exit',
  'border',
  'other',
] as const;
export type SignCategory = (typeof signCategories)[number];

/** A posted sign. `text` is untrusted display data and decides nothing. */
export interface SignFact {
  readonly id: string;
  readonly category: SignCategory;
  /** code of the country's sign catalogue, e.g. `274` */
  readonly code?: string;
  readonly value?: number;
  readonly unit?: SpeedUnit;
  /** ISO 3166-1 alpha-3 of the design family the sign was drawn in */
  readonly country?: string;
  readonly language?: string;
  readonly condition?: 'none' | 'wet' | 'time' | 'truck';
  readonly text?: string;
}

/** A variable-message gantry over our carriageway; `value` null = dark or ended. */
export interface GantryFact {
  readonly id: string;
  readonly value: number | null;
  readonly unit: SpeedUnit;
  readonly country?: string;
  readonly wetPlate?: boolean;
}

/** Percentages 0…100 as weather services and CARLA give them; a missing one is unknown. */
export interface WeatherFact {
  readonly precipitation?: number;
  readonly precipitationDeposits?: number;
  readonly wetness?: number;
  readonly fogDensity?: number;
}

export interface RoadFact {
  readonly roadClass?: RoadClass;
  readonly carriageway?: 'single' | 'separated';
  readonly surface?: RoadSurface;
  readonly segment?: string;
  readonly lanesPerDir?: number;
  readonly lit?: boolean;
}

export interface FactValues {
  /** every road user seen in one observation; an empty list is a fresh "nobody ahead" */
  actors: readonly Actor[];
  weather: WeatherFact;
  road: RoadFact;
  sign: SignFact;
  gantry: GantryFact;
  /** jurisdiction path, most general first: `DEU`, `GBR/WLS` */
  jurisdiction: string;
  units: SpeedUnit;
  drive_side: DriveSide;
  driver_query: string;
}
export type FactKind = keyof FactValues;

/** A fact as it arrives with a tick. */
export type FactInput = {
  [K in FactKind]: {
    readonly kind: K;
    readonly value: FactValues[K];
    readonly conf: number;
    readonly provenance: Provenance;
    readonly observedAtUs: number;
  };
}[FactKind];
