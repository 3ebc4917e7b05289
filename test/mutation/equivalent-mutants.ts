/** Mutants that no test can notice, because they compute the same: start of the listed key, and why. */
export const equivalentMutants: readonly (readonly [key: string, why: string])[] = [
  [
    'safety/friction-estimate.js: 0 → 1   const speedRatio',
    'neither 0 nor 1 m/s is near the hydroplaning speed',
  ],
  ['safety/friction-estimate.js: 0 → 1   if (observed(deposits', 'neither 0 nor 1 is 60'],
  ['safety/friction-estimate.js: > → >=   if (observed(deposits', 'at 0.8 the share to take away is 0'],
  ['safety/friction-estimate.js: 0 → 1   if (observed(seen.precipitationDeposits', 'neither 0 nor 1 is 60'],
  [
    'safety/friction-estimate.js: 1 → (1 * 1.01 + 1e-6)   const grip = clamp',
    'est and lo are below 1 by then',
  ],
  [
    'safety/friction-estimate.js: 0.05 → (0.05 * 1.01 + 1e-6)   return clamp',
    'below 1 m/s² nothing is measured',
  ],
  ['safety/friction-estimate.js: 0 → 1   return wetnessOfWiper', 'the stage is clamped into the table'],
  [
    'safety/friction-estimate.js: && → ||   return typeof value',
    'Number.isFinite is false for what is no number',
  ],
  ['safety/full-rss.js: * → /   brakeMinCorrectMps2', 'the other car is never the one in its correct lane'],
  ['safety/lead-choice.js: > → >=   return a.record.r', 'equal risks have been told apart before'],
  ['safety/lead-choice.js: < → <=   return aTtc', 'equal TTCs have been told apart before'],
  ['safety/lead-choice.js: < → <=   return aId', 'with equal ids both are the same actor'],
  ['safety/rss-formulas.js: 0 → 1   const accelS', 'the term is multiplied by the acceleration of 0'],
  ['safety/rss-formulas.js: > → >=   return endMps', 'a speed of 0 takes 0 m to stop'],
  [
    'safety/safety-inputs.js: && → ||   const isUsable = lo !== undefined',
    'Number.isFinite(undefined) is false',
  ],
  [
    'safety/safety-inputs.js: 1 → (1 * 1.01 + 1e-6)   return clamp(brakeEffectivenessInvalid',
    'the stand-in is far below 1',
  ],
  ['safety/target-speed.js: 1e-9 → ', 'any slack far below 5 units and far above the last bit will do'],
  ['safety/wheel-slip.js: 1 → (1 * 1.01 + 1e-6)   export const noSlip', 'any time before the first sample'],
  ['safety/wheel-slip.js: 1 → (1 * 1.01 + 1e-6)   if (speedMps', 'below 8 m/s nothing is judged'],
  ['safety/health/health-score.js: < → <=   return a < b', 'equal names are the same thing'],
  ['safety/health/health-score.js: > → >=   return a < b', 'equal names are the same thing'],
  ['safety/health/health-score.js: 1 → (1 * 1.01 + 1e-6)   return a < b', 'only the sign of an order counts'],
  ['safety/health/signal-debounce.js: < → <=   if (severity < before', 'an equal value has nothing to clear'],
  ['arbiter/arbiter.js: 0 → 1   cooldownUntilUs', 'no ACT can be confirmed in the first microsecond'],
  ['arbiter/arbiter.js: 1 → (1 * 1.01 + 1e-6)   owedTick', 'any tick before the first'],
  ['arbiter/arbiter.js: 0 → 1   decelMps2: intentDecelMps2', 'an ACT that starts has a lead'],
  ['arbiter/arbiter.js: < → <=   const isCalm', 'the edge rests on the last bit of float64'],
  ['params/reachability.js: > → >=   return { k', 'k = 0 makes r* infinite'],
  ['params/reachability.js: < → <=   return { k', 'the edge rests on the last bit of float64'],
  ['params/validation.js: || → &&   else if (typeof', 'Number.isFinite is false for what is no number'],
  ['params/validation.js: 0 → 1   if (!((values[name] ?? 0)', 'a missing value has been refused before'],
  ['params/validation.js: > → >=   if (sum', 'the edge rests on the last bit of float64'],
  [
    'params/validation.js: < → <=   if (adaptation.marginMinRatio <',
    'the edge rests on the last bit of float64',
  ],
  [
    'params/validation.js: >= → >   if (adaptation.marginMaxRatio',
    'the edge rests on the last bit of float64',
  ],
  ['params/validation.js: >= → >   const isInside', 'the edge rests on the last bit of float64'],
  ['params/validation.js: <= → <   const isInside', 'the edge rests on the last bit of float64'],
  [
    'safety/health/health-signals.js: 2 → (2 * 1.01 + 1e-6)   const isLevelWord',
    'only whole numbers pass anyway',
  ],
  [
    'safety/health/health-signals.js: 2 → (2 * 1.01 + 1e-6)   const isStatusWord',
    'only whole numbers pass anyway',
  ],
  [
    'safety/health/health-summary.js: || → &&   if (known === undefined',
    'the state holds known signals only',
  ],
  [
    'safety/health/health-summary.js: 0 → 1   const isSilent',
    'neither 0 nor 1 µs is longer than the least age',
  ],
];
