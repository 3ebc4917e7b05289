import { systemClock } from './runtime/clock.js';
import type { Config } from './runtime/config-schema.js';
import { rates } from './runtime/rates.js';
import { keepYoungGenerationSmall } from './runtime/young-generation.js';
import type { AuditStore } from './store/audit-store.js';
import { openStore } from './store/open-store.js';
import type { ExpertPool } from './tools/expert-pool.js';
import { openInlineExperts } from './tools/inline-experts.js';
import type { PackWatch } from './tools/pack-watch.js';

export interface OpenedParts {
  readonly store: AuditStore;
  readonly tools: ExpertPool;
  readonly packWatch: PackWatch;
  /** of the rulepacks, for the head of a recording */
  readonly digests: Readonly<Record<string, string>>;
  /** for people: what the experts cannot know */
  readonly notices: readonly string[];
}

/**
 * Opens what takes time to open, the store's thread and the experts' data, beside each other.
 * @throws DriveMcpError STATE_LOCKED, STATE_UNWRITABLE, STORE_VERSION, RULEPACK_INVALID; nothing stays open then
 */
export async function openParts(config: Config, stateDir: string, isLive: boolean): Promise<OpenedParts> {
  const opening = openStore({
    stateDir,
    maxBytes: config.store.max_size_mb * 1024 * 1024,
    maxAgeMs: config.store.max_age_days * 86_400_000,
    groupMs: rates.groupCommit.periodMs,
    clock: systemClock,
  });
  try {
    const { pool, packWatch, digests, notices } = openInlineExperts(
      config,
      systemClock,
      isLive ? 'measured' : 'ticks',
      stateDir,
    );
    const store = await opening;
    // Starting a thread sets V8's flags back.
    keepYoungGenerationSmall();
    return { store, tools: pool, packWatch, digests, notices };
  } catch (error) {
    await opening.then(
      (store) => store.close(),
      () => undefined,
    );
    throw error;
  }
}
