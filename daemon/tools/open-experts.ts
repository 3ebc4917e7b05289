import { createCanExpert } from '../../mcp/can/can-expert.js';
import { readPackSet } from '../../mcp/rules/install/installed-packs.js';
import { createRulesExpert } from '../../mcp/rules/rules-expert.js';
import { createWeatherExpert } from '../../mcp/weather/weather-expert.js';
import { toolNames } from '../core/router/expert-calls.js';
import type { AuditEntry, JsonObject } from '../core/tick.js';
import type { Clock, ToolClient } from '../ports.js';
import type { Config } from '../runtime/config-schema.js';
import type { Logger } from '../runtime/log.js';
import { packageFile } from '../runtime/package-root.js';
import { ExpertPool } from './expert-pool.js';
import { expertStatus } from './expert-status.js';
import { type Packs, PackWatch } from './pack-watch.js';
import { expertPlans } from './process/expert-plans.js';
import { ProcessExperts } from './process/process-experts.js';
import { packNotices } from './rulepack-notices.js';
import { verifiedRules } from './verified-rules.js';

/** Installing a pack is a matter of seconds to whoever does it. */
const packWatchPeriodMs = 1000;
/** A recorded drive waits this long for its experts' processes, so that slow starts are no part of its decisions. */
const readyMaxMs = 20_000;

export interface Experts {
  readonly pool: ExpertPool;
  /** `rulepack:<id>` → version with the hash of its tree, as they are in use now */
  digests(): Readonly<Record<string, string>>;
  /** for people: what the experts cannot know */
  readonly notices: readonly string[];
  /** Puts what changed beside the ticks in its place; returns what goes on record of it. */
  betweenTicks(): AuditEntry[];
  /** of every expert: state, breaker, latency, restarts, pinned tools */
  status(): JsonObject[];
  close(): Promise<void>;
}

export interface ExpertsOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly stateDir: string;
  /** false: a recorded drive, which waits until its experts are ready and counts latency in ticks */
  readonly isLive: boolean;
  readonly log: Logger;
}

/**
 * The three experts behind the pool, in this process or in one each. The rulepacks are read here in both cases, before
 * the first tick: they say which law is on record, and citations are checked against them.
 * A pack that cannot be used is told and left out: the others go on answering.
 */
export async function openExperts(options: ExpertsOptions): Promise<Experts> {
  const { config, clock, stateDir, isLive } = options;
  const builtInFolder = packageFile('rulepacks');
  const { packs: installed, refused } = readPackSet(builtInFolder, stateDir);
  let packs: Packs = new Map([...installed].map(([id, { pack }]) => [id, pack]));
  let rules = createRulesExpert(packs);
  const processes = config.mcp.isolation === 'process' ? openProcesses(options) : null;
  const packWatch = new PackWatch(packs, {
    builtInFolder,
    stateDir,
    periodMs: packWatchPeriodMs,
    swap: (changed) => {
      packs = changed;
      rules = createRulesExpert(changed);
      processes?.replace('rules');
    },
  });
  const inlineRules: ToolClient = { tool: 'rules', call: (request, signal) => rules.call(request, signal) };
  const clients: ToolClient[] =
    processes === null
      ? [inlineRules, createWeatherExpert(), createCanExpert()]
      : toolNames.map((tool) => processes.client(tool));
  const { tools } = config;
  const pool = new ExpertPool(
    clients.map((client) => (client.tool === 'rules' ? verifiedRules(client, () => packs) : client)),
    {
      clock,
      concurrencyMaxCount: tools.concurrency_max_count,
      queueMaxCount: tools.queue_max_count,
      answerMaxBytes: tools.answer_max_bytes,
      breakerFailuresMaxCount: tools.breaker_failures_max_count,
      breakerOpenMs: tools.breaker_open_ms,
      latency: isLive ? 'measured' : 'ticks',
    },
  );
  if (!isLive) await processes?.ready(readyMaxMs);
  return {
    pool,
    digests: () => Object.fromEntries([...packs].map(([id, pack]) => [`rulepack:${id}`, pack.version])),
    notices: [
      ...refused.map(({ id, error }) => `rulepack ${id} is not used: ${error.message}`),
      ...packNotices(config.vehicle.jurisdiction, packs),
    ],
    betweenTicks: () => [...packWatch.takeChanges(), ...(processes?.takeEntries() ?? [])],
    status: () => expertStatus(pool.counters(), processes),
    async close() {
      await packWatch.close();
      await pool.close();
      await processes?.close();
    },
  };
}

function openProcesses({ config, stateDir, clock, log }: ExpertsOptions): ProcessExperts {
  return new ProcessExperts({
    plan: {
      stateDir,
      answerMaxBytes: config.tools.answer_max_bytes,
      experts: expertPlans(config, stateDir),
    },
    logLine: (expert, line, suppressed) =>
      log.info({ expert, line, ...(suppressed === 0 ? {} : { suppressed }) }, 'an expert says'),
    logEvent: (expert, event, detail) => {
      const level = event === 'expert_pinned' ? 'info' : 'warn';
      log[level]({ expert, ...detail }, event.replaceAll('_', ' '));
    },
    monoMs: () => clock.monoUs() / 1000,
  });
}
