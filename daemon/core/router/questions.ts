/**
 * What each expert would be asked now. Arguments are quantised to the cautious side, so that two questions with
 * one key are the same question and a small change of speed is not a new one.
 */
import { isoDate } from '../civil-date.js';
import type { Condition } from '../fuse/condition.js';
import type { Grip } from '../fuse/grip.js';
import type { Law } from '../fuse/law.js';
import type { Perceived } from '../fuse/perceive.js';
import type { Params } from '../params.js';
import type { HealthState } from '../safety/health/health-monitor.js';
import type { JsonObject } from '../tick.js';
import type { WorldView } from '../world/world-view.js';
import type { Inquiry } from './expert-calls.js';
import type { LawContext } from './law-context.js';
import type { Question, Questions } from './route.js';

const speedStepMps = 5;
const percentStep = 5;
const pressureStepKpa = 10;
const temperatureStepC = 0.5;

export function buildQuestions(perceived: Perceived, wallMs: number, params: Params): Questions {
  const made = new Map<Inquiry, Question | null>();
  return (inquiry) => {
    const known = made.get(inquiry);
    if (known !== undefined) return known;
    const question = buildQuestion(inquiry, perceived, wallMs, params);
    made.set(inquiry, question);
    return question;
  };
}

function buildQuestion(
  inquiry: Inquiry,
  { situation, context, memories }: Perceived,
  wallMs: number,
  params: Params,
): Question | null {
  switch (inquiry) {
    case 'rules':
      return context === null ? null : rulesQuestion(context, wallMs);
    case 'weather':
      return weatherQuestion(situation.view, situation.grip, situation.law, params);
    case 'can':
      return canQuestion(situation.condition, memories.condition.monitor);
    case 'sign':
      return situation.foreignSign?.question ?? null;
  }
}

/** The date is an argument but no part of the key: at midnight the cache expires soon enough by itself. */
function rulesQuestion(law: LawContext, wallMs: number): Question {
  return {
    key: law.key,
    args: { jurisdiction: law.jurisdiction, as_of: isoDate(wallMs), context: law.context },
  };
}

function weatherQuestion(view: WorldView, grip: Grip, law: Law, params: Params): Question {
  const { weather } = view;
  const measured = grip.seen.measuredGripRatio ?? null;
  const limit = law.limit ?? law.advisory;
  const args: { [name: string]: number | boolean } = {};
  const put = (name: string, value: number | null | undefined): void => {
    if (value !== null && value !== undefined) args[name] = value;
  };
  put('precipitation', up(weather?.precipitation, percentStep));
  put('precipitation_deposits', up(weather?.precipitationDeposits, percentStep));
  put('wetness', up(weather?.wetness, percentStep));
  put('wiper', down(view.wiper, 1));
  put('v_mps', up(view.speedMps === null ? null : Math.abs(view.speedMps), speedStepMps));
  put(
    'tyre_kpa',
    view.tyreKpa === null ? null : Math.max(pressureStepKpa, down(view.tyreKpa, pressureStepKpa) ?? 0),
  );
  put('ambient_c', nearest(view.airTemperatureC, temperatureStepC));
  if (measured !== null) {
    args['abs_active'] = true;
    // The deceleration that ABS let through, rounded down: less grip than measured, never more.
    args['ax_mps2'] = -Math.floor(measured * params.risk.gravityMps2 * 10) / 10;
  }
  put('limit_mps', limit?.mps);
  return { key: `weather|${pairs(args)}`, args };
}

/**
 * The signals that health is made of. A value that is not confirmed yet, or of a sensor that shows nonsense, is
 * given as "not available": the expert judges one moment and would believe it at once. Nothing to ask while no
 * value is believed.
 */
function canQuestion(condition: Condition, monitor: HealthState): Question | null {
  const signals: { [path: string]: number | null } = {};
  for (const path of Object.keys(monitor.signals).sort()) {
    const known = monitor.signals[path];
    if (known === undefined) continue;
    const isBelieved = known.rising === null && known.invalidSinceUs === null;
    signals[path] = isBelieved ? known.value : null;
  }
  if (Object.values(signals).every((value) => value === null)) return null;
  return {
    key: `can|${condition.indicators.join(',')}|${condition.healthRisk ?? '-'}`,
    args: { signals },
  };
}

function pairs(args: JsonObject): string {
  return Object.keys(args)
    .map((name) => `${name}=${String(args[name])}`)
    .join('|');
}

function up(value: number | null | undefined, step: number): number | null {
  return value === null || value === undefined ? null : (0 - Math.floor(-value / step)) * step;
}

function down(value: number | null, step: number): number | null {
  return value === null ? null : Math.floor(value / step) * step;
}

function nearest(value: number | null, step: number): number | null {
  return value === null ? null : Math.floor(value / step + 0.5) * step;
}
