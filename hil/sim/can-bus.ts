/**
 * The simulated bus: which frame is sent when, as a listener would stamp it.
 *
 * Each message has its period from the DBC, a phase of its own and some jitter of its sender. Frames that
 * want the bus at the same time are arbitrated: the lowest identifier first, the others wait for it to end.
 */
import type { DbcMessage } from '../../daemon/vehicles/dbc/database.js';
import type { Prng } from './prng.js';
import { createPrng } from './prng.js';

const bitTimeUs = 2; // 500 kbit/s
/** classical base frame: 47 bits around the payload with the interframe space, a tenth more for stuffing */
export function frameDurationUs(length: number): number {
  return Math.ceil((47 + 8 * length) * 1.1 * bitTimeUs);
}

/** a sender's timer is off by up to this share of its period, and by no more than a millisecond */
const jitterShare = 0.02;
const jitterMaxUs = 1000;

export interface ScheduledMessage {
  readonly message: DbcMessage;
  readonly periodUs: number;
  readonly phaseUs: number;
  readonly jitter: Prng;
  sent: number;
  readyUs: number;
}

export interface CanBus {
  readonly schedule: readonly ScheduledMessage[];
  freeAtUs: number;
}

export function createCanBus(messages: readonly DbcMessage[], seed: string): CanBus {
  const schedule: ScheduledMessage[] = [];
  for (const message of messages) {
    if (message.cycleMs === null) continue;
    const periodUs = message.cycleMs * 1000;
    const phases = createPrng(seed, `can phase ${message.name}`);
    const entry = {
      message,
      periodUs,
      phaseUs: Math.floor(phases.uniform() * periodUs),
      jitter: createPrng(seed, `can jitter ${message.name}`),
      sent: 0,
      readyUs: 0,
    };
    plan(entry);
    schedule.push(entry);
  }
  // By identifier, so that a plain search in order arbitrates.
  schedule.sort((a, b) => a.message.id - b.message.id);
  return { schedule, freeAtUs: 0 };
}

function plan(entry: ScheduledMessage): void {
  const jitterUs = Math.floor(entry.jitter.uniform() * Math.min(jitterMaxUs, entry.periodUs * jitterShare));
  entry.readyUs = entry.phaseUs + entry.sent * entry.periodUs + jitterUs;
}

/** Sends what ends on the bus before `untilUs`, in order; `send` gets the time at which the frame is complete. */
export function runBus(
  bus: CanBus,
  untilUs: number,
  send: (message: DbcMessage, tUs: number, counter: number) => void,
): void {
  for (;;) {
    let earliestUs = Infinity;
    for (const entry of bus.schedule) earliestUs = Math.min(earliestUs, entry.readyUs);
    const startUs = Math.max(bus.freeAtUs, earliestUs);
    const winner = bus.schedule.find((entry) => entry.readyUs <= startUs);
    if (winner === undefined) return;
    const endUs = startUs + frameDurationUs(winner.message.length);
    if (endUs >= untilUs) return;
    bus.freeAtUs = endUs;
    send(winner.message, endUs, winner.sent);
    winner.sent++;
    plan(winner);
  }
}
