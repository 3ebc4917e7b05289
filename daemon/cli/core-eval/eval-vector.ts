import { createParams } from '../../core/params.js';
import { evalArbiter } from './eval-arbiter.js';
import { evalRss, type RssKind, rssKinds } from './eval-rss.js';
import { evalAdaptation, evalGrip, evalSpeedFactor, evalTargetSpeed, evalTrace } from './eval-tick.js';
import { invalid, type VectorFields } from './vector-fields.js';

export interface EvaluatedVector {
  /** heading of the table it belongs to */
  readonly kind: string;
  /** one a preset where the result depends on it */
  readonly results: readonly Record<string, unknown>[];
}

const arbiterPresets = [createParams('paper-literal'), createParams('default')];

const tickKinds: Readonly<Record<string, (id: string, inputs: VectorFields) => Record<string, unknown>>> = {
  mu: evalGrip,
  speed_factor: evalSpeedFactor,
  target_speed: evalTargetSpeed,
  adaptation: evalAdaptation,
  trace: evalTrace,
};

/** Computes one vector; a vector without a kind is a decision of the arbiter. */
export function evalVector(vector: VectorFields): EvaluatedVector {
  const id = vector.string('id');
  const kind = vector.stringOr('kind', 'arbiter') ?? 'arbiter';
  if (kind === 'arbiter') {
    const inputs = vector.fields('inputs');
    return { kind, results: arbiterPresets.map((params) => evalArbiter(id, inputs, params)) };
  }
  const evaluate = Object.hasOwn(tickKinds, kind) ? tickKinds[kind] : undefined;
  if (evaluate !== undefined) return { kind, results: [evaluate(id, vector.fields('inputs'))] };
  if (isRssKind(kind)) return { kind, results: [evalRss(id, kind, vector)] };
  const known = ['arbiter', ...Object.keys(tickKinds), ...rssKinds].join(', ');
  throw invalid(vector.path('kind'), `one of ${known}`, kind);
}

function isRssKind(kind: string): kind is RssKind {
  return rssKinds.some((name) => name === kind);
}
