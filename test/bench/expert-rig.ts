/** Experts for benchmarks: our own servers, or processes that misbehave, behind the pool that the daemon uses. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expertCalls, toolNames } from '../../daemon/core/router/expert-calls.js';
import type { ToolName } from '../../daemon/core/tick.js';
import type { ToolClient } from '../../daemon/ports.js';
import { systemClock } from '../../daemon/runtime/clock.js';
import { configSchema } from '../../daemon/runtime/config-schema.js';
import { ExpertPool } from '../../daemon/tools/expert-pool.js';
import { expertPlans } from '../../daemon/tools/process/expert-plans.js';
import { ProcessExperts } from '../../daemon/tools/process/process-experts.js';
import { fixtureScript } from '../helpers/paths.js';

export const answerMaxBytes = 262_144;

/** @param manners of processes of the tests; a tool that is not named is answered by the program's own server */
export function processExperts(manners: Partial<Record<ToolName, string>> = {}): ProcessExperts {
  const stateDir = mkdtempSync(join(tmpdir(), 'drivemcp-bench-'));
  process.once('exit', () => rmSync(stateDir, { recursive: true, force: true }));
  const own = expertPlans(configSchema.parse({ mcp: { isolation: 'process' } }), stateDir);
  return new ProcessExperts({
    plan: {
      stateDir,
      answerMaxBytes,
      experts: own.map((plan) => {
        const manner = manners[plan.tool];
        if (manner === undefined) return plan;
        const args = [fixtureScript('daemon', 'fake-expert.js'), plan.tool, manner];
        return { ...plan, command: { file: process.execPath, args }, identity: manner, isOwn: true };
      }),
    },
    logLine: () => {},
    logEvent: () => {},
    monoMs: () => performance.now(),
  });
}

export function poolOf(clients: readonly ToolClient[], concurrencyMaxCount = 4): ExpertPool {
  return new ExpertPool(clients, {
    clock: systemClock,
    concurrencyMaxCount,
    queueMaxCount: 64,
    answerMaxBytes,
    breakerFailuresMaxCount: 5,
    breakerOpenMs: 5000,
    latency: 'measured',
  });
}

export function clientsOf(experts: ProcessExperts): ToolClient[] {
  return toolNames.map((tool) => experts.client(tool));
}

/** What each expert is asked in benchmarks. */
export const questions = {
  rules: { jurisdiction: 'DEU', as_of: '2026-11-30', context: { vehicle: 'car', road: 'rural' } },
  weather: { wetness: 40, v_mps: 20, limit_mps: 27.8 },
  can: { signals: { 'Vehicle.ADAS.ABS.IsError': 1 } },
} as const;

export const callOf = (tool: ToolName): string => expertCalls[tool].call;

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
