/** A profile in TypeScript and in the native module, and the first thing in which they differ. */
import type { FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { NativeProfile } from '../../daemon/sources/can/native-profile.js';
import type { ProfileDecoder } from '../../daemon/vehicles/profile/profile-decoder.js';
import type { CanRxModule } from '../../native/index.js';

/** All that a profile shows, as one value that tells −0 from 0. */
export function shown(decoder: ProfileDecoder): unknown {
  return {
    counts: decoder.counts(),
    states: decoder.states(),
    messages: decoder.messages.map(({ mapped, signals, ...rest }) => ({ ...rest, name: mapped.name })),
    signals: decoder.signals.map(({ mapped, hasArrived, changes, ...rest }) => ({
      ...rest,
      key: mapped.key,
    })),
  };
}

/** Path of the first difference, or ''. */
export function difference(a: unknown, b: unknown, path = ''): string {
  if (Object.is(a, b)) return '';
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return `${path}: ${String(a)} in TypeScript, ${String(b)} in C++`;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = difference(
      (a as Record<string, unknown>)[key],
      (b as Record<string, unknown>)[key],
      `${path}/${key}`,
    );
    if (found !== '') return found;
  }
  return '';
}

/** Both, fed and looked at together. */
export class ProfilePair {
  readonly native: NativeProfile;

  constructor(
    canRx: CanRxModule,
    readonly ours: ProfileDecoder,
    fresh: ProfileDecoder,
  ) {
    this.native = new NativeProfile(canRx, fresh);
  }

  consume(batch: FrameBatch, from: number, to: number, tUs: Float64Array): void {
    this.ours.consume(batch, from, to, tUs);
    this.native.consume(batch, from, to, tUs);
  }

  look(tUs?: number): string {
    const { ours, native } = this;
    return (
      difference(ours.drain(tUs), native.drain(tUs), 'samples') ||
      difference(shown(ours), shown(native.decoder)) ||
      difference(ours.drainFaults(), native.drainFaults(), 'faults')
    );
  }
}
