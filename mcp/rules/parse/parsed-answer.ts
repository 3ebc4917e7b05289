/**
 * What a free-text answer about a sign may become: enumerated words and numbers, nothing else. Text from a camera
 * model is data; no sentence of it crosses this border.
 */

export type SpeedUnit = 'km/h' | 'mph';
export type QuestionKind = 'speed_sign' | 'gantry' | 'jurisdiction';

export type LimitKind = 'max' | 'min' | 'advisory' | 'end' | 'end_all' | 'national' | 'variable';

/** Why there is no number, or why the answer is refused. */
export type NoLimitReason =
  | 'no_sign'
  | 'other_sign'
  | 'unreadable'
  | 'blank'
  | 'empty'
  | 'no_limit'
  | 'town_sign'
  | 'route_number'
  | 'own_speed'
  | 'other_direction'
  | 'other_branch'
  | 'vehicle_marking'
  | 'advert'
  | 'out_of_range'
  | 'instruction_like';

export interface SpeedValue {
  readonly value: number;
  readonly unit: SpeedUnit | null;
}

export interface AlternativeLimit {
  readonly value: number;
  readonly unit?: SpeedUnit;
  readonly conditions?: readonly string[];
  readonly vehicle?: 'hgv';
}

/** Facts beside the number, present only where the answer states them. */
export interface AnswerDetails {
  readonly zone?: true;
  readonly walking_pace?: true;
  readonly upcoming?: true;
  readonly repeater?: true;
  readonly implausible?: true;
  readonly mandatory?: boolean;
  readonly lane_closed?: true;
  readonly variable_present?: true;
  readonly ahead_m?: number;
  readonly extent_m?: number;
  readonly minimum?: number;
  readonly vehicle?: 'hgv';
  /** in the order in which the answer names them; "X" is a closed one */
  readonly lanes?: readonly (number | 'X')[];
  readonly alternatives?: readonly AlternativeLimit[];
  readonly other?: SpeedValue;
  readonly cue?: 'town_entry';
  readonly conflict?: 'unit_vs_jurisdiction';
  readonly candidates?: readonly number[];
}

export interface ParsedLimit extends AnswerDetails {
  readonly status: 'ok' | 'ambiguous';
  readonly kind: LimitKind;
  readonly value: number | null;
  readonly unit: SpeedUnit | null;
  /** explicit: read with the number; context: the unit of the jurisdiction; derived: by convention */
  readonly unit_source: 'explicit' | 'context' | 'derived' | null;
  readonly conditions: readonly string[];
  /** the slowest reading that the answer allows */
  readonly conservative: SpeedValue | null;
  /** upper bound of the confidence that anybody may have in this reading */
  readonly confidence_max: number;
}

export interface ParsedNothing extends AnswerDetails {
  readonly status: 'none' | 'reject';
  readonly reason: NoLimitReason;
}

export interface ParsedJurisdiction {
  readonly status: 'ok' | 'ambiguous' | 'none' | 'reject';
  /** ISO 3166-1 codes, best first */
  readonly countries: readonly string[];
  readonly side: 'left' | 'right' | null;
  readonly unit: SpeedUnit | null;
  readonly confidence_max: number;
  readonly reason?: NoLimitReason;
}

export type ParsedAnswer = ParsedLimit | ParsedNothing | ParsedJurisdiction;
