import type { JsonObject } from './core/tick.js';
import { type BoardParts, SignalBoard } from './rpc/signal-board.js';
import { SignalServer } from './rpc/signal-server.js';
import { systemClock } from './runtime/clock.js';

export interface OfferedSignals {
  readonly board: SignalBoard;
  readonly server: SignalServer;
}

/**
 * Offers signals, status, health and the world to programs of this user. A run goes on without: what is in the way is told.
 * @param head of the run, as the status has it
 */
export async function openSignals(
  stateDir: string,
  head: JsonObject,
  parts: BoardParts,
  notice: (text: string) => void,
): Promise<OfferedSignals | null> {
  const board = new SignalBoard(parts);
  const { run, version: daemon, simulated, live, period_ms } = head;
  try {
    const server = await SignalServer.open(stateDir, {
      board,
      head: { run, daemon, simulated, live, period_ms },
      monoUs: systemClock.monoUs,
    });
    return { board, server };
  } catch (error) {
    notice(`signals are not offered: ${(error as Error).message}`);
    return null;
  }
}
