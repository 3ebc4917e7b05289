/**
 * Which drawing a sign shows, and what it means: by country, code and value. Codes are those of the national catalogues
 * (DE StVO, GB TSRGD diagrams, FR arrêté of 1967, PL and CZ decrees, JP order of 1960, CN GB 5768.2).
 */
import type { MapSignal } from '../../opendrive/map.js';
import type { SignDisplay } from '../world/sign-displays.js';

export type FaceClass =
  | 'speed_limit'
  | 'speed_limit_end'
  | 'speed_zone'
  | 'end_all'
  | 'national_limit'
  | 'no_overtaking'
  | 'no_overtaking_end'
  | 'yield'
  | 'stop'
  | 'slow'
  | 'priority'
  | 'danger'
  | 'slippery'
  | 'keep_left'
  | 'keep_right'
  | 'town_entry'
  | 'town_exit'
  | 'border'
  | 'wet_plate'
  | 'time_plate'
  | 'text_plate'
  | 'variable_limit'
  | 'blank'
  | 'unknown';

export interface SignFace {
  /** name of the drawing in the atlas */
  readonly drawing: string;
  readonly class: FaceClass;
  readonly value: number | null;
  readonly unit: string;
  readonly country: string;
}

type Code = readonly [drawing: string, meaning: FaceClass];

/** `*` in a drawing's name: the sign's value. */
const codes: Readonly<Record<string, Readonly<Record<string, Code>>>> = {
  DEU: {
    '101': ['danger', 'danger'],
    '114': ['slippery', 'slippery'],
    '205': ['yield', 'yield'],
    '206': ['stop', 'stop'],
    '222': ['keep-right', 'keep_right'],
    '274': ['limit-*', 'speed_limit'],
    '274.1': ['zone-*', 'speed_zone'],
    '276': ['no-overtaking', 'no_overtaking'],
    '278': ['limit-end-*', 'speed_limit_end'],
    '280': ['no-overtaking-end', 'no_overtaking_end'],
    '282': ['end-all', 'end_all'],
    '306': ['priority', 'priority'],
    '310': ['town-deu', 'town_entry'],
    '311': ['town-deu-end', 'town_exit'],
    '393': ['border-deu', 'border'],
    '1007-30': ['text-deu', 'text_plate'],
    '1040-30': ['time-22-6', 'time_plate'],
    '1042-33': ['time-7-17', 'time_plate'],
    '1052-36': ['wet-deu', 'wet_plate'],
    '1053-35': ['wet-deu', 'wet_plate'],
  },
  FRA: {
    A4: ['slippery', 'slippery'],
    A14: ['danger', 'danger'],
    AB3a: ['yield', 'yield'],
    AB4: ['stop', 'stop'],
    AB6: ['priority', 'priority'],
    B3: ['no-overtaking', 'no_overtaking'],
    B14: ['limit-*', 'speed_limit'],
    B30: ['zone-*', 'speed_zone'],
    B31: ['end-all', 'end_all'],
    B33: ['limit-end-*', 'speed_limit_end'],
    EB10: ['town-fra', 'town_entry'],
    E39: ['border-fra', 'border'],
    M9: ['text-fra', 'text_plate'],
    M9z: ['wet-fra', 'wet_plate'],
  },
  POL: {
    'A-7': ['yield-pol', 'yield'],
    'A-15': ['slippery-pol', 'slippery'],
    'A-30': ['danger-pol', 'danger'],
    'B-20': ['stop', 'stop'],
    'B-25': ['no-overtaking', 'no_overtaking'],
    'B-33': ['limit-*', 'speed_limit'],
    'B-34': ['limit-end-*', 'speed_limit_end'],
    'B-42': ['end-all', 'end_all'],
    'B-43': ['zone-*', 'speed_zone'],
    'D-1': ['priority', 'priority'],
    'D-42': ['town-pol', 'town_entry'],
    border: ['border-pol', 'border'],
    T: ['text-pol', 'text_plate'],
    'T-wet': ['wet-pol', 'wet_plate'],
  },
  CZE: {
    A8: ['slippery', 'slippery'],
    A22: ['danger', 'danger'],
    P2: ['priority', 'priority'],
    P4: ['yield', 'yield'],
    P6: ['stop', 'stop'],
    B20a: ['limit-*', 'speed_limit'],
    B20b: ['limit-end-*', 'speed_limit_end'],
    B21a: ['no-overtaking', 'no_overtaking'],
    B26: ['end-all', 'end_all'],
    IZ4a: ['town-cze', 'town_entry'],
    IZ8a: ['zone-*', 'speed_zone'],
    border: ['border-cze', 'border'],
    E13: ['text-cze', 'text_plate'],
    'E13-wet': ['wet-cze', 'wet_plate'],
  },
  GBR: {
    '557': ['slippery', 'slippery'],
    '562': ['danger', 'danger'],
    '601.1': ['stop', 'stop'],
    '602': ['yield-gbr', 'yield'],
    '610': ['keep-left', 'keep_left'],
    '632': ['no-overtaking', 'no_overtaking'],
    '670': ['limit-*', 'speed_limit'],
    '671': ['national', 'national_limit'],
    '674': ['zone-*', 'speed_zone'],
    '511': ['text-gbr', 'text_plate'],
    border: ['border-gbr', 'border'],
    'plate-wet': ['wet-gbr', 'wet_plate'],
  },
  JPN: {
    '209': ['slippery-jpn', 'slippery'],
    '323': ['limit-jpn-*', 'speed_limit'],
    '329': ['slow-jpn', 'slow'],
    '330': ['stop-jpn', 'stop'],
    '510': ['text-jpn', 'text_plate'],
    'plate-wet': ['wet-jpn', 'wet_plate'],
  },
  CHN: {
    limit: ['limit-*', 'speed_limit'],
    'limit-end': ['limit-end-*', 'speed_limit_end'],
    stop: ['stop-chn', 'stop'],
    yield: ['yield-chn', 'yield'],
    slippery: ['slippery-chn', 'slippery'],
    plate: ['text-chn', 'text_plate'],
    'plate-wet': ['wet-chn', 'wet_plate'],
  },
};

/** Every drawing that a code can ask for, with `*` where its value stands. */
export function drawingPatterns(): readonly string[] {
  return [
    ...new Set(Object.values(codes).flatMap((country) => Object.values(country).map(([drawing]) => drawing))),
  ];
}

/** What a fixed sign shows; a code or a value without a drawing is a grey plate of class `unknown`. */
export function fixedFace(signal: MapSignal, has: (drawing: string) => boolean): SignFace {
  const { country, type, subtype, value, unit } = signal;
  const known = codes[country] ?? {};
  const [pattern, meaning] = known[`${type}-${subtype}`] ?? known[type] ?? ['unknown', 'unknown'];
  const drawing = pattern.replace('*', String(value));
  return has(drawing)
    ? { drawing, class: meaning, value, unit, country }
    : { drawing: 'unknown', class: 'unknown', value, unit, country };
}

/** What a dynamic sign shows: its panel, and a plate below it while one is lit. */
export function variableFaces(
  { country, unit }: Pick<MapSignal, 'country' | 'unit'>,
  display: SignDisplay | undefined,
  has: (drawing: string) => boolean,
): { readonly panel: SignFace; readonly plate: SignFace | null } {
  const value = display?.value ?? null;
  const drawing = value === null ? 'led-dark' : `led-${value}`;
  const panel: SignFace = has(drawing)
    ? { drawing, class: value === null ? 'blank' : 'variable_limit', value, unit, country }
    : { drawing: 'led-dark', class: 'unknown', value, unit, country };
  const wet = `led-wet-${country.toLowerCase()}`;
  const isLit = value !== null && display?.plate === 'wet' && has(wet);
  return {
    panel,
    plate: isLit ? { drawing: wet, class: 'wet_plate', value: null, unit: '', country } : null,
  };
}
