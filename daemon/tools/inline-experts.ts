import { createCanExpert } from '../../mcp/can/can-expert.js';
import { readPackSet } from '../../mcp/rules/install/installed-packs.js';
import { createRulesExpert } from '../../mcp/rules/rules-expert.js';
import { createWeatherExpert } from '../../mcp/weather/weather-expert.js';
import type { Clock, ToolClient } from '../ports.js';
import type { Config } from '../runtime/config-schema.js';
import { packageFile } from '../runtime/package-root.js';
import { ExpertPool } from './expert-pool.js';
import { type Packs, PackWatch } from './pack-watch.js';
import { packNotices } from './rulepack-notices.js';

/** Installing a pack is a matter of seconds to whoever does it. */
const packWatchPeriodMs = 1000;

export interface InlineExperts {
  readonly pool: ExpertPool;
  /** notices packs that are installed while it runs */
  readonly packWatch: PackWatch;
  /** `rulepack:<id>` → version with the hash of its tree, for the head of a recording */
  readonly digests: Readonly<Record<string, string>>;
  /** for people: what the experts cannot know */
  readonly notices: readonly string[];
}

/**
 * The three experts in this process, behind the pool. Their data are read here, before the first tick, so
 * that no call waits for a disk.
 * @param latency what answers say of their latency; see `ExpertPoolOptions`
 * A pack that cannot be used is told and left out: the others go on answering.
 */
export function openInlineExperts(
  config: Config,
  clock: Clock,
  latency: 'measured' | 'ticks',
  stateDir: string,
): InlineExperts {
  const builtInFolder = packageFile('rulepacks');
  const { packs: installed, refused } = readPackSet(builtInFolder, stateDir);
  const packs: Packs = new Map([...installed].map(([id, { pack }]) => [id, pack]));
  let rules = createRulesExpert(packs);
  const packWatch = new PackWatch(packs, {
    builtInFolder,
    stateDir,
    periodMs: packWatchPeriodMs,
    swap: (changed) => {
      rules = createRulesExpert(changed);
    },
  });
  const swappable: ToolClient = { tool: 'rules', call: (request, signal) => rules.call(request, signal) };
  const clients: ToolClient[] = [swappable, createWeatherExpert(), createCanExpert()];
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
    packWatch,
    digests: Object.fromEntries([...packs].map(([id, pack]) => [`rulepack:${id}`, pack.version])),
    notices: [
      ...refused.map(({ id, error }) => `rulepack ${id} is not used: ${error.message}`),
      ...packNotices(config.vehicle.jurisdiction, packs),
    ],
  };
}
