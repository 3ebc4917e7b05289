/**
 * What a Linux CAN error frame says (linux/can/error.h). An error frame is a report of the controller, never data:
 * its identifier is a set of classes, its payload holds details.
 */

export const ERROR_CONTROLLER = 0x004;
export const ERROR_BUS_OFF = 0x040;
export const ERROR_RESTARTED = 0x100;
export const ERROR_COUNTERS = 0x200;
/** every class: what a receiver asks for */
export const ERROR_ALL = 0x1fffffff;

const rxOverflow = 0x01;
const warningBits = 0x04 | 0x08; // receive or transmit
const passiveBits = 0x10 | 0x20;
const activeBit = 0x40;

export type ControllerState = 'active' | 'warning' | 'passive' | 'bus_off' | 'stopped' | 'sleeping';

export interface ErrorReport {
  /** state the controller says it is in now; null = this frame says nothing about it */
  readonly controller: ControllerState | null;
  readonly isRestarted: boolean;
  /** the controller's own buffer overran: frames are lost that no socket counter knows of */
  readonly isOverrun: boolean;
  readonly txErrors: number | null;
  readonly rxErrors: number | null;
}

/** Reads `data[start] … data[start + length − 1]` of an error frame whose identifier (classes) is `classes`. */
export function readErrorFrame(
  classes: number,
  data: Uint8Array,
  start: number,
  length: number,
): ErrorReport {
  const detail = (classes & ERROR_CONTROLLER) !== 0 && length > 1 ? (data[start + 1] ?? 0) : 0;
  let controller: ControllerState | null = null;
  if ((detail & activeBit) !== 0) controller = 'active';
  if ((detail & warningBits) !== 0) controller = 'warning';
  if ((detail & passiveBits) !== 0) controller = 'passive';
  const isRestarted = (classes & ERROR_RESTARTED) !== 0;
  if (isRestarted) controller = 'active';
  if ((classes & ERROR_BUS_OFF) !== 0) controller = 'bus_off';
  const hasCounters = (classes & ERROR_COUNTERS) !== 0 && length > 7;
  return {
    controller,
    isRestarted,
    isOverrun: (detail & rxOverflow) !== 0,
    txErrors: hasCounters ? (data[start + 6] ?? 0) : null,
    rxErrors: hasCounters ? (data[start + 7] ?? 0) : null,
  };
}
