/**
 * A drive over a server that may die, hang or change its map: the session is opened again, for a while, and the drive goes
 * on in the world that is there then. Logic time stands still meanwhile; what was seen before goes stale by its own rules.
 */
import type { SignalSample } from '../../../daemon/core/tick.js';
import type { FactInput } from '../../../daemon/core/world/facts.js';
import type { DriveSource } from '../../../daemon/ports.js';
import { isWorthAgain, openPatiently, type Patience } from '../session/open-patiently.js';

export interface ReconnectOptions extends Patience {
  open(): Promise<DriveSource>;
  /** at the very end, behind the last session */
  closed?(): Promise<void>;
}

export class ReconnectingDrive implements DriveSource {
  readonly #options: ReconnectOptions;
  #drive: DriveSource;
  reconnects = 0;
  /** of drives that have ended */
  #diagnosticsBefore = 0;

  private constructor(drive: DriveSource, options: ReconnectOptions) {
    this.#drive = drive;
    this.#options = options;
  }

  /** Waits for the server too: a CARLA that loads its map takes a minute to answer. */
  static async open(options: ReconnectOptions): Promise<ReconnectingDrive> {
    return new ReconnectingDrive(await openPatiently(options.open, options, null), options);
  }

  get description(): string {
    return this.#drive.description;
  }

  get digest(): string {
    return this.#drive.digest;
  }

  get isSimulated(): boolean {
    return this.#drive.isSimulated;
  }

  get startWallMs(): number | null {
    return this.#drive.startWallMs;
  }

  /** A world that was interrupted is no longer one drive: every reconnection counts as damage. */
  get diagnosticCount(): number {
    return this.reconnects + this.#diagnosticsBefore + this.#drive.diagnosticCount;
  }

  async advance(tUs: number): Promise<boolean> {
    for (;;) {
      try {
        return await this.#drive.advance(tUs);
      } catch (error) {
        if (!isWorthAgain(error) || this.#options.signal.aborted) throw error;
        this.#options.notice(`${error.message}; connecting again`);
        await this.#drive.close();
        this.#diagnosticsBefore += this.#drive.diagnosticCount;
        this.#drive = await openPatiently(this.#options.open, this.#options, error);
        this.reconnects++;
        this.#options.notice(`connected again (${this.reconnects}): ${this.#drive.description}`);
      }
    }
  }

  drainFacts(): FactInput[] {
    return this.#drive.drainFacts();
  }

  drainSignals(): SignalSample[] {
    return this.#drive.drainSignals();
  }

  async close(): Promise<void> {
    await this.#drive.close();
    await this.#options.closed?.();
  }
}
