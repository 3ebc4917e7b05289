/** What can go wrong between frames and messages, and what is kept of it. */

export const transportErrors = [
  'timeout',
  'sequence',
  'interrupted',
  'unexpected',
  'malformed',
  'too_long',
  'flow_control_ignored',
  'short',
] as const;

/**
 * - `timeout`: the next frame of a message did not come in time (N_Cr; T1 and T2 of J1939)
 * - `sequence`: a consecutive frame with another number than the next one; the message is dropped, never sorted
 * - `interrupted`: a new message began before the one before was complete
 * - `unexpected`: a consecutive frame that belongs to no message
 * - `malformed`: a frame or payload that its standard does not allow
 * - `too_long`: an announced length above our limit, or one that the receiver refused (overflow)
 * - `flow_control_ignored`: flow control where nothing waits for it
 * - `short`: a complete message with fewer bytes than its content needs
 */
export type TransportError = (typeof transportErrors)[number];

/** How far an incomplete message got. */
export interface Incomplete {
  readonly receivedBytes: number;
  readonly announcedBytes: number;
  /** what there is of it, to name the service; no content is read from it */
  readonly received?: Uint8Array;
}
