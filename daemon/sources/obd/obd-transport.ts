/** A way to control units: an interface with the kernel's ISO-TP, or an adapter that speaks text. */
import type { Ask } from '../../core/obd-poll/exchange.js';
import type { SendFailure } from '../../core/obd-poll/poll-scheduler.js';

export type TransportEvent =
  /** a frame of another node: the bus is alive */
  | { readonly kind: 'heard' }
  | { readonly kind: 'other_tester' }
  /** a frame of a long answer */
  | { readonly kind: 'progress'; readonly answerId: number }
  | { readonly kind: 'answer'; readonly answerId: number; readonly payload: Uint8Array }
  /** a long answer that broke off or came out of order */
  | { readonly kind: 'broken'; readonly what: string }
  /** nothing more comes to the question on its way */
  | { readonly kind: 'complete' }
  | { readonly kind: 'voltage'; readonly voltageV: number }
  /** what the adapter or the kernel said, for people */
  | { readonly kind: 'note'; readonly text: string }
  /** gone for good */
  | { readonly kind: 'lost'; readonly why: string };

export interface ObdTransport {
  readonly name: string;
  /** Puts a question on its way, after the guard has looked at it. */
  send(ask: Ask): 'sent' | SendFailure;
  /** What has happened since the last call. */
  poll(nowUs: number): TransportEvent[];
  /** Counters of its own, for the summary. */
  counters(): Readonly<Record<string, number>>;
  close(): void;
}
