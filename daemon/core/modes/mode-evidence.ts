import type { Situation } from '../fuse/situation.js';
import type { Params } from '../params.js';
import type { RouterState } from '../router/router-state.js';
import type { RunSettings } from '../settings.js';
import type { ModeEvidence } from './mode-machine.js';

/** What of the situation the mode depends on. */
export function modeEvidence(
  situation: Situation,
  router: RouterState,
  settings: RunSettings,
  params: Params,
): ModeEvidence {
  const { law, view, world } = situation;
  const hasLaw = view.jurisdiction !== null || world.posted.unclear !== null;
  return {
    periodUs: settings.periodUs,
    hasSpeed: view.speedMps !== null,
    isLimitUnsure: hasLaw && (law.isConservative || law.conf < params.events.lowConfidenceRatio),
    isPackStale: law.answer?.degraded.includes('expired') ?? false,
    toolFailures: router.failures,
  };
}
