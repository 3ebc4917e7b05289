/** The scenarios that come with the package, by id. */
import type { Scenario } from '../sim/scenario.js';
import { borderRainBraking } from './border-rain-braking.js';

export const scenarios: readonly Scenario[] = [borderRainBraking];

/** The scenario whose drive is bundled and played by default. */
export const bundledScenario = borderRainBraking;
