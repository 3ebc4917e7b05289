/**
 * A CAN interface as a sink: looks at the interface, listens to the bus, and only then sends, each frame when it is due.
 * Goes on listening while it sends: where somebody else speaks on a bus that is to be its own, it falls silent at once.
 */
import type { FrameBatch } from '../../daemon/core/can/frame-batch.js';
import type { InterfaceState } from '../../daemon/core/can/interface-life.js';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { idText } from '../../daemon/vehicles/diagnostics/diagnostic-id.js';
import { pause } from '../carla/session/open-patiently.js';
import type { CanChannel, ChannelEars, HeardFrame } from '../transmit/can-channel.js';
import type { OutputCounters } from './bridge-output.js';
import type { FrameSink } from './can-bridge.js';
import { ForeignFrames } from './foreign-frames.js';
import { FramePlayout } from './frame-playout.js';

/** What the kernel says of an interface. */
export interface InterfaceSight {
  readonly state: InterfaceState;
  /** driver family: `vcan`, `can`; null where it does not say */
  readonly family: string | null;
  readonly bitrate: number | null;
  readonly isListenOnly: boolean | null;
}

export interface WireOptions {
  readonly name: string;
  /** a bus with wires; otherwise only a virtual interface is taken */
  readonly isReal: boolean;
  /** others may speak on it: they are counted and nothing more. Never on a real one. */
  readonly isShared: boolean;
  /** how long the bus is listened to before the first frame */
  readonly listenMs: number;
  readonly nowMs: () => number;
  readonly notice: (text: string) => void;
  /** the interface as the kernel sees it now; called every 100 ms */
  look(): InterfaceSight;
  openChannel(name: string, ears: ChannelEars): Pick<CanChannel, 'send' | 'close'>;
}

const lookPeriodMs = 100;
/** A kernel that takes no frame is asked again after this. */
const retryMs = 2;
/** For so long nothing was taken, or the controller was off the bus: nobody is there who would acknowledge. */
const hopelessMs = 5000;
/** Nothing was refused for so long: there was nothing to send. */
const idleMs = 1000;
/** At the end the frames of the last step are still played: they are due within it. */
const lastPlayMs = 150;

export class WireSink implements FrameSink {
  readonly name: string;
  readonly #options: WireOptions;
  readonly #playout = new FramePlayout();
  readonly #foreign = new ForeignFrames();
  #channel: Pick<CanChannel, 'send' | 'close'> | null = null;
  #fail: (error: DriveMcpError) => void = () => {};
  #sight: InterfaceSight | null = null;
  #isListening = true;
  #isEnded = false;
  #timer: NodeJS.Timeout | null = null;
  #lookTimer: NodeJS.Timeout | null = null;
  /** since when no frame was taken, or the controller has been off the bus */
  #mutedFromMs: number | null = null;
  #refusedAtMs = -Infinity;
  #sent = 0;
  #refused = 0;

  constructor(options: WireOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** @throws DriveMcpError CAN_UNAVAILABLE, BUS_REFUSED, BUS_OCCUPIED */
  async open(fail: (error: DriveMcpError) => void, signal: AbortSignal): Promise<void> {
    const { name, listenMs, isShared, notice, openChannel } = this.#options;
    this.#fail = fail;
    this.#mustBeFit();
    this.#channel = openChannel(name, {
      heard: (frame) => this.#hear(frame),
      reported: ({ controller }) => {
        if (controller === 'bus_off') this.#look();
      },
      stopped: () => this.#end('CAN_UNAVAILABLE', `${name} went down while frames were being sent`),
    });
    if (!isShared) {
      notice(`${name}: listening for ${(listenMs / 1000).toFixed(1)} s before the first frame`);
      await pause(listenMs, signal);
    }
    if (this.#isEnded || signal.aborted) return;
    if (this.#foreign.count > 0 && !isShared) {
      this.#silence();
      throw occupied(name, `the bus is not free: ${this.#foreign.describe()}; nothing was sent`);
    }
    this.#isListening = false;
    this.#lookTimer = setInterval(() => this.#look(), lookPeriodMs);
  }

  take(batch: FrameBatch, tUs: Float64Array): void {
    if (this.#isEnded) return;
    this.#playout.push(batch, tUs, this.#options.nowMs());
    if (this.#timer === null) this.#schedule();
  }

  counters(): OutputCounters {
    const { dropped, jumps, length } = this.#playout;
    return {
      sent: this.#sent,
      waiting: length,
      dropped,
      refused: this.#refused,
      jumps,
      foreign: this.#foreign.count,
      state: this.#sight?.state ?? null,
      bitrate: this.#sight?.bitrate ?? null,
    };
  }

  async close(): Promise<void> {
    const untilMs = this.#options.nowMs() + lastPlayMs;
    while (!this.#isEnded && this.#playout.length > 0 && this.#options.nowMs() < untilMs)
      await pause(retryMs, new AbortController().signal);
    this.#silence();
  }

  #mustBeFit(): void {
    const { name, isReal, look } = this.#options;
    const sight = look();
    this.#sight = sight;
    const { state, family, isListenOnly } = sight;
    if (state === 'absent' || state === 'unplugged')
      throw new DriveMcpError('CAN_UNAVAILABLE', `there is no CAN interface ${name}`);
    if (!isReal && family !== 'vcan')
      throw new DriveMcpError(
        'BUS_REFUSED',
        `${name} is a ${family ?? 'CAN'} interface, not a virtual one: frames of a simulated car do not belong on a bus with a car`,
        { hint: `on a bench without a vehicle: --real-can ${name} --no-vehicle-connected` },
      );
    if (isListenOnly === true)
      throw new DriveMcpError('BUS_REFUSED', `${name} cannot send: its controller is in listen-only mode`, {
        hint: `ip link set ${name} down; ip link set ${name} type can bitrate 500000 listen-only off; ip link set ${name} up`,
      });
    if (state === 'down' || state === 'bus_off')
      throw new DriveMcpError('CAN_UNAVAILABLE', `${name} is ${state === 'down' ? 'down' : 'bus-off'}`, {
        hint: isReal
          ? `ip link set ${name} type can bitrate 500000 restart-ms 100; ip link set ${name} up`
          : `ip link set ${name} up`,
      });
  }

  #hear(frame: HeardFrame): void {
    this.#foreign.hear(frame);
    const { name, isShared } = this.#options;
    if (isShared || this.#isListening || this.#isEnded) return;
    const id = idText(frame.id, frame.ext);
    this.#fallSilent(
      occupied(name, `somebody else speaks on the bus (${id}): fell silent after ${this.#sent} frames`),
    );
  }

  /** The interface went away, or has been off the bus for too long: the end. */
  #look(): void {
    const { name, look, nowMs, notice } = this.#options;
    const before = this.#sight?.state;
    this.#sight = look();
    const { state } = this.#sight;
    if (state !== before) notice(`${name}: ${before} → ${state}`);
    if (state === 'absent' || state === 'unplugged' || state === 'down')
      this.#end(
        'CAN_UNAVAILABLE',
        `${name} is ${state === 'down' ? 'down' : 'gone'}: frames have nowhere to go`,
      );
    if (state === 'bus_off') this.#mutedFromMs ??= nowMs();
    // A world that pauses has nothing to send: that is no refusal.
    else if (nowMs() - this.#refusedAtMs > idleMs) this.#mutedFromMs = null;
    if (this.#mutedFromMs !== null && nowMs() - this.#mutedFromMs > hopelessMs)
      this.#end(
        'CAN_UNAVAILABLE',
        `${name} has taken no frame for ${hopelessMs / 1000} s (${state}): nobody acknowledges, or bit rate and wiring are wrong`,
      );
  }

  #schedule(): void {
    const { nextDueMs } = this.#playout;
    if (nextDueMs === null || this.#isEnded) return;
    const waitMs = Math.max(this.#mutedFromMs === null ? 0 : retryMs, nextDueMs - this.#options.nowMs());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#play();
      this.#schedule();
    }, waitMs);
  }

  #play(): void {
    const { nowMs } = this.#options;
    const now = nowMs();
    const wasDue = (this.#playout.nextDueMs ?? Number.POSITIVE_INFINITY) <= now;
    let isRefused = false;
    const sent = this.#playout.play(now, (frame) => {
      const isTaken = this.#channel?.send(frame) === true;
      if (!isTaken) {
        this.#refused++;
        this.#refusedAtMs = now;
        isRefused = true;
      }
      return isTaken;
    });
    this.#sent += sent;
    if (isRefused && sent === 0) this.#mutedFromMs ??= now;
    else if (wasDue && this.#sight?.state !== 'bus_off') this.#mutedFromMs = null;
  }

  #end(code: 'CAN_UNAVAILABLE', message: string): void {
    this.#fallSilent(new DriveMcpError(code, message));
  }

  #fallSilent(error: DriveMcpError): void {
    if (this.#isEnded) return;
    this.#silence();
    this.#fail(error);
  }

  #silence(): void {
    this.#isEnded = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#lookTimer !== null) clearInterval(this.#lookTimer);
    this.#timer = null;
    this.#lookTimer = null;
    this.#playout.clear();
    this.#channel?.close();
    this.#channel = null;
  }
}

function occupied(name: string, message: string): DriveMcpError {
  return new DriveMcpError('BUS_OCCUPIED', `${name}: ${message}`);
}
