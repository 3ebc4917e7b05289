/**
 * Drives made of plain inputs for tests of the decision core: a car, a lead, facts on the way, experts that
 * answer a tick later. Everything can be replaced; nothing is random.
 */
import { createParams, type Params } from '../../daemon/core/params.js';
import type { RunSettings } from '../../daemon/core/settings.js';
import type { CoreState } from '../../daemon/core/state.js';
import { createInitialState, step } from '../../daemon/core/step.js';
import type {
  JsonObject,
  OperatorCommand,
  SignalSample,
  SourceState,
  StoreState,
  TickInputs,
  TickOutputs,
  ToolAnswer,
  ToolRequest,
} from '../../daemon/core/tick.js';
import type { FactInput } from '../../daemon/core/world/facts.js';

export const startWallMs = Date.UTC(2026, 10, 30, 12, 0, 0);

export interface TickPlan {
  readonly signals?: readonly SignalSample[];
  readonly facts?: readonly FactInput[];
  readonly sources?: readonly SourceState[];
  readonly commands?: readonly OperatorCommand[];
  readonly store?: Partial<StoreState>;
  readonly wallMs?: number;
  readonly lateUs?: number;
  readonly missedTicks?: number;
  readonly actAuthorised?: boolean;
}

/** Says how an expert answers a request; null = never. */
export type Answering = (request: ToolRequest, tick: number) => PlannedAnswer | null;
export interface PlannedAnswer {
  readonly afterTicks: number;
  readonly status: ToolAnswer['status'];
  readonly payload: JsonObject | null;
  readonly late?: boolean;
}

export interface Drive {
  readonly ticks: number;
  readonly plan: (tick: number, tUs: number) => TickPlan;
  readonly answering?: Answering;
  readonly settings?: Partial<RunSettings>;
  readonly params?: Params;
}

export interface Driven {
  readonly inputs: TickInputs[];
  readonly outputs: TickOutputs[];
  readonly state: CoreState;
}

export const defaultParams = createParams('default');

export function drive(plan: Drive): Driven {
  const params = plan.params ?? defaultParams;
  let state = createInitialState(params, plan.settings);
  const periodUs = state.settings.periodUs;
  const inputs: TickInputs[] = [];
  const outputs: TickOutputs[] = [];
  const due: { readonly tick: number; readonly answer: ToolAnswer }[] = [];
  for (let tick = 0; tick < plan.ticks; tick++) {
    const tUs = tick * periodUs;
    const planned = plan.plan(tick, tUs);
    const answers = due.filter((item) => item.tick === tick).map((item) => item.answer);
    const input: TickInputs = {
      tick,
      tUs,
      wallMs: planned.wallMs ?? startWallMs + tUs / 1000,
      lateUs: planned.lateUs ?? 0,
      missedTicks: planned.missedTicks ?? 0,
      signals: planned.signals ?? [],
      facts: planned.facts ?? [],
      answers,
      sources: planned.sources ?? [],
      store: { healthy: true, durableTick: tick - 1, lagUs: 0, ...planned.store },
      commands: planned.commands ?? [],
      actAuthorised: planned.actAuthorised ?? true,
    };
    const result = step(state, input, params);
    state = result.state;
    inputs.push(input);
    outputs.push(result.outputs);
    for (const request of result.outputs.requests) {
      const answer = (plan.answering ?? calmExperts)(request, tick);
      if (answer === null) continue;
      due.push({
        tick: tick + answer.afterTicks,
        answer: {
          requestId: request.id,
          tool: request.tool,
          status: answer.status,
          latencyUs: answer.afterTicks * periodUs,
          payload: answer.payload,
          ...(answer.late === undefined ? {} : { late: answer.late }),
        },
      });
    }
  }
  return { inputs, outputs, state };
}

/** Runs recorded inputs again. */
export function replay(
  inputs: readonly TickInputs[],
  params: Params,
  settings?: Partial<RunSettings>,
): Driven {
  let state = createInitialState(params, settings);
  const outputs: TickOutputs[] = [];
  for (const input of inputs) {
    const result = step(state, input, params);
    state = result.state;
    outputs.push(result.outputs);
  }
  return { inputs: [...inputs], outputs, state };
}

/** Experts on a fair day, one tick after the question. */
export const calmExperts: Answering = (request) => ({
  afterTicks: 1,
  status: 'ok',
  payload: calmPayload(request),
});

export function calmPayload(request: ToolRequest): JsonObject {
  switch (request.tool) {
    case 'weather':
      return { mu_est: 0.8, mu_lo: 0.7, risk_level: 'low', confidence: 0.9 };
    case 'can':
      return { health_risk: 0, coverage: 0.5, contributions: [] };
    case 'rules':
      return request.call === 'rules_explain_sign' ? unknownSign : rulesPayload(request);
  }
}

/** A table that knows no sign at all. */
const unknownSign: JsonObject = {
  country: 'XX',
  is_known: false,
  meanings: [],
  rulepack_version: null,
  as_of: '2026-11-30',
};

/** A small world of law: 100 km/h or 60 mph, a gantry or sign as shown. */
function rulesPayload(request: ToolRequest): JsonObject {
  const isBritain = String(request.args['jurisdiction']).startsWith('GBR');
  const context = request.args['context'] as JsonObject;
  const unit = isBritain ? 'mph' : 'km/h';
  const shown =
    context['gantry'] ??
    String(context['sign'] ?? '')
      .split('-')
      .pop();
  const posted = Number(shown);
  const value = posted > 0 ? posted : isBritain ? 60 : 100;
  return {
    legal_action: 'obey_limit',
    limit: { value, unit, mps: unit === 'mph' ? value * 0.44704 : value / 3.6 },
    advisory: null,
    citations: [{ doc_id: 'xx:law:1', span: [10, 42], quote: 'text that nobody may speak' }],
    confidence: 0.9,
    rulepack_version: isBritain ? 'GBR@1.0.0' : 'DEU@1.0.0',
    degraded: [],
  };
}

export function speedSignal(mps: number | null, observedAtUs: number): SignalSample {
  return { path: 'Vehicle.Speed', value: mps, observedAtUs, changes: 1 };
}

export function signal(path: string, value: number | null, observedAtUs: number): SignalSample {
  return { path, value, observedAtUs, changes: 1 };
}

type FactOf<K extends FactInput['kind']> = Extract<FactInput, { kind: K }>;

export function fact<K extends FactInput['kind']>(
  kind: K,
  value: FactOf<K>['value'],
  observedAtUs: number,
  options: { conf?: number; provenance?: FactInput['provenance'] } = {},
): FactInput {
  return {
    kind,
    value,
    conf: options.conf ?? 0.95,
    provenance: options.provenance ?? 'map',
    observedAtUs,
  } as FactInput;
}

/** Facts of the start: Germany, a rural road, fair weather. */
export function fairStart(tUs: number): FactInput[] {
  return [
    fact('jurisdiction', 'DEU', tUs),
    fact('road', { roadClass: 'rural', segment: 's1' }, tUs),
    fact('weather', { precipitation: 0, precipitationDeposits: 0, wetness: 0 }, tUs),
  ];
}

export interface Approach {
  readonly egoMps: number;
  readonly closingMps: number;
  readonly startGapM: number;
  readonly startTick: number;
}

/** The lead of a constant approach, seen by a camera on every tick. */
export function lead(approach: Approach, tick: number, tUs: number, periodUs = 50_000): FactInput {
  const elapsedS = (Math.max(0, tick - approach.startTick) * periodUs) / 1e6;
  const gapM = Math.max(0, approach.startGapM - approach.closingMps * elapsedS);
  const closingMps = tick >= approach.startTick ? approach.closingMps : 0;
  return fact('actors', [{ id: 'lead', cls: 'car', gapM, closingMps, inPath: 1 }], tUs, {
    conf: 0.95,
    provenance: 'perception',
  });
}

/** What must be equal where "the same decisions" is claimed. */
export function decisionsOf(outputs: readonly TickOutputs[]): string {
  return JSON.stringify(
    outputs.map(({ tick, mode, decision, utterance, safety, events }) => ({
      tick,
      mode,
      decision,
      utterance,
      safety,
      events,
    })),
  );
}
