/** One direction of one ISO-TP conversation (ISO 15765-2): frames with one identifier and one address byte. */

export interface IsoTpAddress {
  readonly bus: string;
  readonly id: number;
  readonly isExtendedId: boolean;
  /** first payload byte of extended addressing, which then is no part of the message; null without it */
  readonly addressByte: number | null;
}

/** A message of which the first frame has been seen. */
export interface OpenMessage {
  readonly bytes: Uint8Array;
  received: number;
  nextSequence: number;
  /** payload bytes of the first frame's data field: consecutive frames are as long, but the last may be shorter */
  readonly frameBytes: number;
  /** when N_Cr runs out, s */
  deadlineS: number;
  /** flow control frames since the last data frame */
  flowControls: number;
}

export class IsoTpStream {
  open: OpenMessage | null = null;
  /** consecutive frames of a refused first frame are passed over until then; −∞ without one */
  refusedUntilS = Number.NEGATIVE_INFINITY;
  /** streams of the other direction: flow control on this one is for them */
  readonly answersTo: IsoTpStream[] = [];

  constructor(readonly address: IsoTpAddress) {}
}
