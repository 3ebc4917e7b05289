/** A message, or what came in its place, as listeners hand it on. */
import type { DiagnosticContent } from './diagnostic-content.js';
import type { Lamps } from './j1939-faults.js';
import type { Incomplete, TransportError } from './transport-error.js';

export interface DiagnosticMessage extends Omit<DiagnosticContent, 'error' | 'dtcs'> {
  /** seconds as the input has them: of the frame that completed the message; of a timeout, when it ran out */
  readonly tS: number;
  readonly bus: string;
  /** identifier of the frame, upper-case hexadecimal with 3 or 8 digits */
  readonly id: string;
  /** answering identifier of the unit that speaks or is spoken to; J1939: its address; null: all units */
  readonly ecu: string | null;
  readonly isRequest: boolean;
  /** the message, empty where there is none */
  readonly raw: Uint8Array;
  readonly dtcs?: DiagnosticContent['dtcs'] | null;
  readonly error?: TransportError;
  /** how far a message got that was not completed */
  readonly incomplete?: Incomplete;
  /** requests were heard on this bus, but none that this answers */
  readonly isUnrequested?: boolean;
  /** the unit has answered this request before */
  readonly isRepeated?: boolean;
  readonly pgn?: number;
  /** `DM1`, `DM2` … */
  readonly faultMessage?: string;
  readonly lamps?: Lamps;
}
