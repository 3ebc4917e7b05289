import type { JsonObject, ToolName } from '../core/tick.js';
import type { ToolCounters } from '../runtime/tool-runner.js';
import type { ExpertState } from './process/worker-messages.js';

/** What `status` shows of each expert, under the names that programs read. */
export function expertStatus(
  counters: Readonly<Record<string, ToolCounters>>,
  processes: { state(tool: ToolName): ExpertState | null } | null,
): JsonObject[] {
  return Object.entries(counters).map(([expert, counted]) => {
    const process = processes?.state(expert as ToolName) ?? null;
    return {
      expert,
      isolation: processes === null ? 'inline' : 'process',
      state: processes === null ? 'ready' : (process?.state ?? 'idle'),
      breaker: counted.breaker,
      requests: counted.requests,
      ok: counted.ok,
      timeouts: counted.timeouts,
      late: counted.late,
      errors: counted.errors,
      discarded: counted.discarded,
      last_discard: counted.lastDiscard,
      latency_us: { ...counted.latencyUs },
      pid: process?.pid ?? null,
      restarts: process === null ? 0 : Math.max(0, process.starts - 1),
      kills: process?.kills ?? 0,
      noise_lines: process?.noiseLines ?? 0,
      tools_sha256: process?.toolsSha256 ?? null,
      server: process?.server ?? null,
      protocol: process?.protocol ?? null,
      last_end: process?.lastEnd ?? null,
    };
  });
}
