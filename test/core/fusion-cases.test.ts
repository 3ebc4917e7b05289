/**
 * Law, then traction, then the car, as a table: what is advised for each way in which the experts answer, fail, are late
 * or are unsure. Every case is a whole drive through the core.
 */
import t from 'tap';
import type { JsonObject, ToolAnswer, ToolName, ToolRequest } from '../../daemon/core/tick.js';
import {
  calmPayload,
  drive,
  fact,
  fairStart,
  type PlannedAnswer,
  signal,
  speedSignal,
} from './step-drive.js';

type Outcome = 'ok' | 'timeout' | 'error' | 'never' | JsonObject;

interface Case {
  readonly name: string;
  readonly answers?: Partial<Record<ToolName, Outcome>>;
  /** a gantry that shows 80 */
  readonly gantry?: boolean;
  readonly limit: number | null;
  readonly source: string | null;
  readonly advice: number | null;
  readonly conservative: boolean;
  readonly mode: 'NORMAL' | 'ADVISORY';
}

const wet: JsonObject = { mu_est: 0.45, mu_lo: 0.4, risk_level: 'moderate', confidence: 0.8 };
const optimistic: JsonObject = { mu_est: 1.4, mu_lo: 1.4, risk_level: 'low', confidence: 1 };
const sick: JsonObject = { health_risk: 0.7, coverage: 0.8, contributions: [{ indicator: 'abs_fault' }] };
const law = (value: number, more: JsonObject = {}): JsonObject => ({
  legal_action: 'obey_limit',
  limit: { value, unit: 'km/h', mps: value / 3.6 },
  advisory: null,
  citations: [],
  confidence: 0.9,
  rulepack_version: 'DEU@1.0.0',
  degraded: [],
  ...more,
});

const cases: readonly Case[] = [
  {
    name: 'all answer: the law as it stands',
    limit: 100,
    source: 'rules',
    advice: 100,
    conservative: false,
    mode: 'NORMAL',
  },
  {
    name: 'wet road: both are told',
    answers: { weather: wet },
    limit: 100,
    source: 'rules',
    advice: 75,
    conservative: false,
    mode: 'NORMAL',
  },
  {
    name: 'a sick car: both are told',
    answers: { can: sick },
    limit: 100,
    source: 'rules',
    advice: 75,
    conservative: false,
    mode: 'NORMAL',
  },
  {
    name: 'wet road and a sick car: each lowers it',
    answers: { weather: wet, can: sick },
    limit: 100,
    source: 'rules',
    advice: 60,
    conservative: false,
    mode: 'NORMAL',
  },
  {
    name: 'no expert raises above the law',
    answers: { weather: optimistic },
    limit: 100,
    source: 'rules',
    advice: 100,
    conservative: false,
    mode: 'NORMAL',
  },
  {
    name: 'gantry and law contradict: the lower',
    gantry: true,
    answers: { rules: law(120) },
    limit: 80,
    source: 'gantry',
    advice: 80,
    conservative: true,
    mode: 'ADVISORY',
  },
  {
    name: 'law is lower than the gantry: the law',
    gantry: true,
    answers: { rules: law(60) },
    limit: 60,
    source: 'rules',
    advice: 60,
    conservative: false,
    mode: 'NORMAL',
  },
  {
    name: 'rules time out, a gantry is seen',
    gantry: true,
    answers: { rules: 'timeout' },
    limit: 80,
    source: 'gantry',
    advice: 80,
    conservative: false,
    mode: 'NORMAL',
  },
  {
    name: 'rules time out, nothing is posted: no limit is invented',
    answers: { rules: 'timeout' },
    limit: null,
    source: null,
    advice: null,
    conservative: true,
    mode: 'ADVISORY',
  },
  {
    name: 'rules fail',
    answers: { rules: 'error' },
    limit: null,
    source: null,
    advice: null,
    conservative: true,
    mode: 'ADVISORY',
  },
  {
    name: 'rules never answer',
    answers: { rules: 'never' },
    limit: null,
    source: null,
    advice: null,
    conservative: true,
    mode: 'ADVISORY',
  },
  {
    name: 'a pack out of date: its limit, cautiously',
    answers: {
      rules: law(100, { degraded: ['expired'], confidence: 0.6, legal_action: 'obey_limit_degraded' }),
    },
    limit: 100,
    source: 'rules',
    advice: 100,
    conservative: true,
    mode: 'ADVISORY',
  },
  {
    name: 'low confidence: its limit, and a mode that says so',
    answers: { rules: law(100, { confidence: 0.3 }) },
    limit: 100,
    source: 'rules',
    advice: 100,
    conservative: false,
    mode: 'ADVISORY',
  },
  {
    name: 'a limit that no sign can show is no answer',
    answers: { rules: law(300) },
    limit: null,
    source: null,
    advice: null,
    conservative: true,
    mode: 'ADVISORY',
  },
  {
    name: 'a limit in the unit of another country is no answer',
    answers: { rules: law(60, { limit: { value: 60, unit: 'mph', mps: 26.8 } }) },
    limit: null,
    source: null,
    advice: null,
    conservative: true,
    mode: 'ADVISORY',
  },
  {
    name: 'weather times out: the lower bound of the road',
    answers: { weather: 'timeout' },
    limit: 100,
    source: 'rules',
    advice: 90,
    conservative: false,
    mode: 'NORMAL',
  },
  {
    name: 'can times out: what the signals say',
    answers: { can: 'timeout' },
    limit: 100,
    source: 'rules',
    advice: 100,
    conservative: false,
    mode: 'NORMAL',
  },
  {
    name: 'nobody answers',
    answers: { rules: 'timeout', weather: 'timeout', can: 'timeout' },
    limit: null,
    source: null,
    advice: null,
    conservative: true,
    mode: 'ADVISORY',
  },
];

function answering(answers: Case['answers']) {
  return (request: ToolRequest): PlannedAnswer | null => {
    const outcome = answers?.[request.tool] ?? 'ok';
    if (outcome === 'never') return null;
    const status: ToolAnswer['status'] = outcome === 'timeout' || outcome === 'error' ? outcome : 'ok';
    const payload =
      status !== 'ok' ? null : outcome === 'ok' ? calmPayload(request) : (outcome as JsonObject);
    return { afterTicks: status === 'timeout' ? 6 : 1, status, payload };
  };
}

interface Fused {
  readonly legal: { readonly value: number; readonly source: string; readonly mps: number } | null;
  readonly advice: { readonly value: number; readonly target_mps: number } | null;
  readonly conflict: boolean;
  readonly conservative: boolean;
}

function fusedOf({ answers, gantry = false }: Pick<Case, 'answers' | 'gantry'>) {
  const { outputs } = drive({
    ticks: 140,
    answering: answering(answers),
    plan: (tick, tUs) => ({
      signals: [speedSignal(20, tUs), signal('Vehicle.ADAS.ABS.IsError', 0, tUs)],
      facts: [
        ...(tick === 0 ? fairStart(tUs) : []),
        ...(gantry && tick === 20 ? [fact('gantry', { id: 'g', value: 80, unit: 'km/h' }, tUs)] : []),
      ],
    }),
  });
  const last = outputs.findLast(({ audit }) => audit.some(({ body }) => body['fused'] !== undefined));
  const fused = last?.audit.find(({ body }) => body['fused'] !== undefined)?.body['fused'];
  return { fused: fused as unknown as Fused, mode: outputs.at(-1)?.mode };
}

t.test('what is advised, case by case', async (t) => {
  for (const one of cases) {
    const { fused, mode } = fusedOf(one);
    t.same(
      {
        limit: fused.legal?.value ?? null,
        source: fused.legal?.source ?? null,
        advice: fused.advice?.value ?? null,
        conservative: fused.conservative,
        conflict: fused.conflict,
        mode,
      },
      {
        limit: one.limit,
        source: one.source,
        advice: one.advice,
        conservative: one.conservative,
        conflict: one.advice !== null && one.limit !== null && one.advice < one.limit,
        mode: one.mode,
      },
      one.name,
    );
  }
});

t.test('no answer, whatever its kind, makes the advice of the others higher', async (t) => {
  const kinds: readonly Outcome[] = ['timeout', 'error', 'never'];
  for (const tool of ['weather', 'can'] as const) {
    for (const kind of kinds) {
      const { fused } = fusedOf({ answers: { weather: wet, can: sick, [tool]: kind } });
      const other = fusedOf({
        answers: { [tool === 'weather' ? 'can' : 'weather']: tool === 'weather' ? sick : wet },
      });
      t.ok(
        (fused.advice?.target_mps ?? 0) <= (other.fused.advice?.target_mps ?? 0) + 1e-9,
        `${tool} ${String(kind)}: at most what the other expert alone advises`,
      );
      t.ok((fused.advice?.target_mps ?? 0) <= (fused.legal?.mps ?? 0) + 1e-9, 'and never above the law');
    }
  }
});
