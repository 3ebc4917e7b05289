import { systemClock } from './runtime/clock.js';
import type { Config } from './runtime/config-schema.js';
import type { Logger } from './runtime/log.js';
import { rates } from './runtime/rates.js';
import { keepYoungGenerationSmall } from './runtime/young-generation.js';
import type { AuditStore } from './store/audit-store.js';
import { openStore } from './store/open-store.js';
import { type Experts, openExperts } from './tools/open-experts.js';

export interface OpenedParts {
  readonly store: AuditStore;
  readonly experts: Experts;
}

/**
 * Opens what takes time to open, the store's thread and the experts, beside each other.
 * @throws DriveMcpError STATE_LOCKED, STATE_UNWRITABLE, STORE_VERSION, RULEPACK_INVALID; nothing stays open then
 */
export async function openParts(
  config: Config,
  stateDir: string,
  isLive: boolean,
  log: Logger,
): Promise<OpenedParts> {
  const opening = openStore({
    stateDir,
    maxBytes: config.store.max_size_mb * 1024 * 1024,
    maxAgeMs: config.store.max_age_days * 86_400_000,
    groupMs: rates.groupCommit.periodMs,
    clock: systemClock,
  });
  const experts = openExperts({ config, clock: systemClock, stateDir, isLive, log });
  try {
    const parts = { store: await opening, experts: await experts };
    // Starting a thread sets V8's flags back.
    keepYoungGenerationSmall();
    return parts;
  } catch (error) {
    await Promise.allSettled([
      opening.then((store) => store.close()),
      experts.then((opened) => opened.close()),
    ]);
    throw error;
  }
}
