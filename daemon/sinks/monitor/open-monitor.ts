import { DriveMcpError } from '../../core/errors.js';
import type { AuditEntry, JsonObject } from '../../core/tick.js';
import type { Sink } from '../../ports.js';
import { MonitorSocket } from './monitor-socket.js';
import { MonitoredSink } from './monitored-sink.js';

/** The external monitor of a run; without one, sinks are what they were. */
export interface ActMonitor {
  readonly sinks: readonly Sink[];
  /** asked every tick: false while a monitor that is required is not there */
  readonly isReady: () => boolean;
  takeEntries(): AuditEntry[];
  /** null where no monitor is wanted */
  counters(): JsonObject | null;
  close(): Promise<void>;
}

/**
 * @param stateDir where the socket is made; its lock is the caller's
 * @throws DriveMcpError ACT_MONITOR_FAILED: an ACT that was to be monitored must not go on without
 */
export async function openMonitor(
  mode: 'off' | 'optional' | 'required',
  stateDir: string,
  sinks: readonly Sink[],
  monoMs: () => number,
): Promise<ActMonitor> {
  const [inner] = sinks;
  if (mode === 'off' || inner === undefined)
    return {
      sinks,
      isReady: () => true,
      takeEntries: () => [],
      counters: () => null,
      close: () => Promise.resolve(),
    };
  const sink = new MonitoredSink(inner, mode, monoMs);
  const socket = await MonitorSocket.open(stateDir, sink, monoMs).catch((cause: Error) => {
    throw new DriveMcpError('ACT_MONITOR_FAILED', `no socket for the monitor: ${cause.message}`, { cause });
  });
  sink.attach(socket);
  return {
    sinks: [sink],
    isReady: () => sink.isReady,
    takeEntries: () => sink.takeEntries(),
    counters: () => sink.counters(),
    close: () => socket.close(),
  };
}
