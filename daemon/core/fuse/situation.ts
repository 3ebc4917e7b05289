/** One tick as it is understood: what is seen, known and computed before anything is decided. */

import type { Question } from '../router/route.js';
import type { SignAnswer } from '../router/sign-answer.js';
import type { SafetyAssessment } from '../safety/assessment.js';
import type { SeenForeignSign } from '../signs/seen-foreign-sign.js';
import type { WorldState } from '../world/world-state.js';
import type { WorldView } from '../world/world-view.js';
import type { Advice } from './advice.js';
import type { Condition } from './condition.js';
import type { Grip } from './grip.js';
import type { Law } from './law.js';

export interface Situation {
  readonly tUs: number;
  readonly before: WorldState;
  readonly world: WorldState;
  readonly view: WorldView;
  readonly law: Law;
  readonly grip: Grip;
  readonly condition: Condition;
  readonly safety: SafetyAssessment;
  readonly advice: Advice;
  readonly driverLanguage: string;
  /** yards for who chose miles; with `auto` metres stay, whatever the speed signs show */
  readonly distanceUnit: 'm' | 'yd';
  /** the rules expert has been asked about exactly this situation and may still answer */
  readonly isLawPending: boolean;
  readonly queries: readonly string[];
  readonly foreignSign: ForeignSignInView | null;
}

/** A sign that is foreign here or to the driver, and what the rules expert says of it. */
export interface ForeignSignInView {
  readonly seen: SeenForeignSign;
  /** null = nothing of it that a table could have */
  readonly question: Question | null;
  /** the expert has answered or failed: there is nothing to wait for */
  readonly isAnswered: boolean;
  readonly answer: SignAnswer | null;
}
