import { createCanExpert } from '../../mcp/can/can-expert.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { createRulesExpert } from '../../mcp/rules/rules-expert.js';
import { createWeatherExpert } from '../../mcp/weather/weather-expert.js';
import type { Clock, ToolClient } from '../ports.js';
import type { Config } from '../runtime/config-schema.js';
import { packageFile } from '../runtime/package-root.js';
import { ExpertPool } from './expert-pool.js';
import { packNotices } from './rulepack-notices.js';

export interface InlineExperts {
  readonly pool: ExpertPool;
  /** `rulepack:<id>` → version with the hash of its tree, for the head of a recording */
  readonly digests: Readonly<Record<string, string>>;
  /** for people: what the experts cannot know */
  readonly notices: readonly string[];
}

/**
 * The three experts in this process, behind the pool. Their data are read here, before the first tick, so
 * that no call waits for a disk.
 * @param latency what answers say of their latency; see `ExpertPoolOptions`
 * @throws DriveMcpError RULEPACK_INVALID
 */
export function openInlineExperts(
  config: Config,
  clock: Clock,
  latency: 'measured' | 'ticks',
): InlineExperts {
  const packs = loadRulepacks(packageFile('rulepacks'));
  const clients: ToolClient[] = [createRulesExpert(packs), createWeatherExpert(), createCanExpert()];
  const { tools } = config;
  const pool = new ExpertPool(clients, {
    clock,
    concurrencyMaxCount: tools.concurrency_max_count,
    queueMaxCount: tools.queue_max_count,
    answerMaxBytes: tools.answer_max_bytes,
    breakerFailuresMaxCount: tools.breaker_failures_max_count,
    breakerOpenMs: tools.breaker_open_ms,
    latency,
  });
  return {
    pool,
    digests: Object.fromEntries([...packs].map(([id, pack]) => [`rulepack:${id}`, pack.version])),
    notices: packNotices(config.vehicle.jurisdiction, [...packs.keys()]),
  };
}
