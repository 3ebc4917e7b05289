/** What a diagnostic message says. */
import type { DiagnosticValues, ScaleLimits } from './decode-pid.js';
import { standardScales } from './decode-pid.js';
import type { TroubleCode } from './trouble-code.js';

export interface DiagnosticContent {
  /** service of the request; null where the message is neither a request nor an answer */
  readonly service: number | null;
  readonly pid?: number;
  readonly did?: number;
  readonly sub?: number;
  /** freeze frame number of service 02 */
  readonly frame?: number;
  /** all parameters of an answer with several */
  readonly pids?: readonly number[];
  readonly values?: DiagnosticValues;
  /** identifiers that the unit answers, from a support mask */
  readonly supported?: readonly number[];
  readonly dtcs?: readonly TroubleCode[];
  /** null: asked for, and not available or not legal */
  readonly vin?: string | null;
  /** negative response code */
  readonly nrc?: number;
  /** the content is shorter than it says, or not what its standard allows */
  readonly error?: 'short' | 'malformed';
}

/** What earlier answers of one unit say about later ones. */
export interface EcuContext {
  readonly limits: ScaleLimits;
}

export function newEcuContext(): EcuContext {
  return { limits: { ...standardScales } };
}
