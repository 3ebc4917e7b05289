import { createHash } from 'node:crypto';
import { canonicalJson } from '../core/canonical.js';
import { DriveMcpError } from '../core/errors.js';
import type { TickOutputs } from '../core/tick.js';

/**
 * The hash that pins every decision of a run: d_n = SHA-256(d_{n−1} ‖ JCS(outputs_n)), d_{−1} = 32 zero bytes,
 * JCS = RFC 8785 canonical JSON in UTF-8. Two runs with the same hash decided alike on every tick.
 */
export class DecisionHasher {
  #last: Buffer = Buffer.alloc(32);

  /** Takes the outputs of the next tick; returns the hash so far (32 bytes, not to be changed). */
  add(outputs: TickOutputs): Uint8Array {
    let text: string;
    try {
      text = canonicalJson(outputs);
    } catch (error) {
      throw new DriveMcpError(
        'INVARIANT',
        `outputs of tick ${outputs.tick} have no canonical form: ${(error as Error).message}`,
        { cause: error },
      );
    }
    this.#last = createHash('sha256').update(this.#last).update(text, 'utf8').digest();
    return this.#last;
  }

  /** `decision_hash`: the hash so far, lower-case hex; 64 zeros before the first tick. */
  get hex(): string {
    return this.#last.toString('hex');
  }
}
