/** What differs between countries on a map: side, unit, limits by road, and the codes of the signs that stand there. */
export interface MapCountry {
  /** ISO 3166-1 alpha-3, as rulepacks have it */
  readonly code: string;
  readonly isLeftHand: boolean;
  readonly unit: 'km/h' | 'mph';
  readonly townMax: number;
  readonly ruralMax: number;
  /** null: no limit */
  readonly motorwayMax: number | null;
  /** sign of a maximum speed, without its value */
  readonly limitSign: string;
  readonly stopSign: string;
  readonly yieldSign: string;
  readonly townEntry: string | null;
}

export const mapCountries = {
  DEU: {
    code: 'DEU',
    isLeftHand: false,
    unit: 'km/h',
    townMax: 50,
    ruralMax: 100,
    motorwayMax: null,
    limitSign: '274',
    stopSign: '206',
    yieldSign: '205',
    townEntry: '310',
  },
  FRA: {
    code: 'FRA',
    isLeftHand: false,
    unit: 'km/h',
    townMax: 50,
    ruralMax: 80,
    motorwayMax: 130,
    limitSign: 'B14',
    stopSign: 'AB4',
    yieldSign: 'AB3a',
    townEntry: 'EB10',
  },
  POL: {
    code: 'POL',
    isLeftHand: false,
    unit: 'km/h',
    townMax: 50,
    ruralMax: 90,
    motorwayMax: 140,
    limitSign: 'B-33',
    stopSign: 'B-20',
    yieldSign: 'A-7',
    townEntry: 'D-42',
  },
  CZE: {
    code: 'CZE',
    isLeftHand: false,
    unit: 'km/h',
    townMax: 50,
    ruralMax: 90,
    motorwayMax: 130,
    limitSign: 'B20a',
    stopSign: 'P6',
    yieldSign: 'P4',
    townEntry: 'IZ4a',
  },
  GBR: {
    code: 'GBR',
    isLeftHand: true,
    unit: 'mph',
    townMax: 30,
    ruralMax: 60,
    motorwayMax: 70,
    limitSign: '670',
    stopSign: '601.1',
    yieldSign: '602',
    townEntry: null,
  },
} as const satisfies Record<string, MapCountry>;

export type MapCountryCode = keyof typeof mapCountries;
