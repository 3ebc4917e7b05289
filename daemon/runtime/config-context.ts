import { createHash } from 'node:crypto';
import { canonicalJson } from '../core/canonical.js';
import { createParams } from '../core/params.js';
import type { RunSettings } from '../core/settings.js';
import type { Config } from './config-schema.js';
import type { RunContext } from './run-context.js';

/**
 * Parameters and settings of the core out of a configuration. `configHash` covers these and nothing else, so
 * that what cannot change a decision (log level, sizes of files) does not change its record either.
 */
export function contextFrom(config: Config): RunContext {
  const params = createParams(config.core.preset);
  const settings: RunSettings = {
    periodUs: config.tick.period_ms * 1000,
    language: config.driver.language,
    displayUnit: config.driver.units,
    startJurisdiction: config.vehicle.jurisdiction === '' ? null : config.vehicle.jurisdiction,
    isAnalysis: false,
    evaluator: config.core.evaluator,
    vehicleClass: config.vehicle.class,
    // Only where they are set: what was decided without them stays what it was, hashes included.
    ...(config.driver.verbosity === 'normal' ? {} : { verbosity: config.driver.verbosity }),
    ...(config.driver.muted.length === 0 ? {} : { muted: [...config.driver.muted].sort() }),
    configHash: '',
  };
  const configHash = createHash('sha256').update(canonicalJson({ params, settings }), 'utf8').digest('hex');
  return { params, settings: { ...settings, configHash } };
}
