/**
 * Bodies of audit entries: what a tick leaves for whoever asks later why. A body holds all that is needed to compute
 * every safety number again; sequence numbers and hashes are the store's. Member names are the record's own
 * (snake_case); times in seconds.
 */

import type { AdaptationOutcome } from '../arbiter/adaptation.js';
import type { Arbitration } from '../arbiter/arbiter.js';
import type { Learned } from '../arbiter/learn.js';
import type { Situation } from '../fuse/situation.js';
import type { ModeChange } from '../modes/mode-machine.js';
import type { Mode } from '../modes/mode-types.js';
import type { Params } from '../params.js';
import { plainText } from '../plain-text.js';
import type { Citation } from '../router/citation.js';
import type { Inquiry } from '../router/expert-calls.js';
import { signBody } from '../router/sign-answer.js';
import type { TakenAnswer } from '../router/take-answers.js';
import type { SafetyAssessment } from '../safety/assessment.js';
import type { LeadCandidate } from '../safety/lead-choice.js';
import type { RssResponse } from '../safety/rss-response.js';
import type { SafetyInputs } from '../safety/safety-inputs.js';
import type { RunSettings } from '../settings.js';
import type {
  Decision,
  FiredEvent,
  JsonObject,
  JsonValue,
  TickInputs,
  ToolRequest,
  Utterance,
} from '../tick.js';
import { sortedFlags, type TickNotes } from '../tick-notes.js';
import { toolsBody } from './tools-body.js';

export interface RecordedTick {
  readonly inputs: TickInputs;
  readonly settings: RunSettings;
  readonly situation: Situation;
  readonly safetyInputs: JsonObject;
  readonly decision: Decision;
  readonly arbitration: Arbitration;
  /** what the full-RSS monitor asks for; null = the run has none */
  readonly rssResponse: RssResponse | null;
  readonly mode: Mode;
  readonly modeChange: ModeChange | null;
  readonly fired: readonly FiredEvent[];
  readonly requests: readonly ToolRequest[];
  readonly taken: readonly TakenAnswer[];
  readonly reused: readonly Inquiry[];
  readonly utterance: Utterance | null;
  readonly suppressed: readonly { readonly key: string; readonly by: string }[];
  readonly feedback: AdaptationOutcome;
  readonly given: Learned['given'];
  readonly confirmTicks: number;
}

function header(recorded: RecordedTick, params: Params): JsonObject {
  const { inputs, settings } = recorded;
  return {
    v: 1,
    tick: inputs.tick,
    t_mono: inputs.tUs / 1e6,
    t_wall: Number.isFinite(inputs.wallMs) ? inputs.wallMs / 1000 : null,
    config_hash: settings.configHash,
    preset: params.preset,
    mode: recorded.mode,
  };
}

export function modeBody(
  recorded: RecordedTick,
  change: ModeChange,
  params: Params,
  notes: TickNotes,
): JsonObject {
  return {
    ...header(recorded, params),
    mode_change: { from: change.from, to: change.to, causes: change.causes },
    degraded: sortedFlags(notes),
  };
}

/** A source (interface, required signal, expert) that has become worse or better. */
export function sourceBody(
  recorded: RecordedTick,
  change: { readonly name: string; readonly from: string; readonly to: string },
  params: Params,
): JsonObject {
  return { ...header(recorded, params), source_change: change };
}

export function tickBody(recorded: RecordedTick, params: Params, notes: TickNotes): JsonObject {
  const { situation, decision, utterance, arbitration, feedback } = recorded;
  const { flags, ...numbers } = situation.safety.record;
  for (const flag of flags) notes.flags.add(flag);
  return {
    ...header(recorded, params),
    world_state: worldBody(situation),
    events: recorded.fired.map(({ type, score, eta, payload }) => ({ type, score, eta, payload })),
    tools: toolsBody(recorded.taken, recorded.reused, recorded.requests),
    passages: passagesBody(situation),
    ...explainedSignBody(situation),
    fused: fusedBody(situation),
    safety: { ...numbers, inputs: recorded.safetyInputs, ...monitorBody(recorded) },
    arbitration: {
      decision: decision.kind,
      blocked_by: decision.blockedBy,
      confirm: decision.confirm,
      confirm_ticks: recorded.confirmTicks,
      held: decision.held,
      ...(decision.intent === null
        ? {}
        : { decel_mps2: decision.intent.decelMps2, expires_at: decision.intent.expiresAtUs / 1e6 }),
      ...(arbitration.ended === null ? {} : { ended: arbitration.ended }),
    },
    utterance:
      utterance === null
        ? null
        : {
            l1: utterance.l1,
            l2: utterance.l2,
            lang: utterance.lang,
            key: utterance.key,
            urgent: utterance.urgent,
          },
    ...(recorded.suppressed.length === 0
      ? {}
      : { suppressed: recorded.suppressed.map(({ key, by }) => ({ key, suppressed_by: by })) }),
    ...(feedback === 'none' ? {} : { feedback }),
    ...commandsBody(recorded),
    degraded: sortedFlags(notes),
  };
}

/** Edges of a button are in the recording; what they came to is told as feedback. */
export const recordedCommands: ReadonlySet<string> = new Set([
  'late_warning',
  'false_positive',
  'cancel',
  'mute',
  'unmute',
  'prefer',
]);

/** What people said and did on this tick; absent where nobody did anything. */
function commandsBody({ given, inputs }: RecordedTick): JsonObject {
  const commands = inputs.commands.filter(({ kind }) => recordedCommands.has(kind));
  return {
    ...(given.length === 0
      ? {}
      : {
          feedback_given: given.map(({ kind, origin, id, note, outcome }) => ({
            kind,
            origin,
            outcome,
            ...(id === undefined ? {} : { id }),
            ...(note === undefined ? {} : { note }),
          })),
        }),
    ...(commands.length === 0
      ? {}
      : {
          commands: commands.map(({ kind, subject, value, id }) => ({
            kind,
            subject: plainText(subject, 40),
            value: plainText(value, 40),
            id: plainText(id, 40),
          })),
        }),
  };
}

/** Every safety rule's verdict side by side, where the run has more than the deciding one. */
function monitorBody({ situation, rssResponse }: RecordedTick): JsonObject {
  if (rssResponse === null) return {};
  const rules = situation.safety.verdicts.map((verdict) => ({
    rule: verdict.rule,
    formula: verdict.formula,
    required_gap_m: finiteOrNull(verdict.requiredGapM),
    required_lateral_gap_m: finiteOrNull(verdict.requiredLateralGapM),
    violated: verdict.isViolated,
  }));
  return { rules, rss_response: rssResponse };
}

/** A record has no form for an infinite distance. */
function finiteOrNull(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

function worldBody(situation: Situation): JsonObject {
  const { tUs, world, view } = situation;
  const age = (atUs: number): number => (tUs - atUs) / 1e6;
  const { posted } = world;
  return {
    v: view.speedMps,
    ax: view.accelerationMps2,
    leads: view.leads.map((lead) => ({
      id: lead.id,
      cls: lead.cls,
      d: lead.gapM,
      dv: lead.closingMps,
      in_path: lead.inPath,
      conf: lead.conf,
      prov: world.actors.provenance,
      age: lead.ageUs / 1e6,
    })),
    jurisdiction: view.jurisdiction,
    road: view.road === null ? null : { ...view.road },
    weather:
      world.weather === null
        ? null
        : {
            ...world.weather.value,
            conf: world.weather.conf,
            prov: world.weather.provenance,
            age: age(world.weather.observedAtUs),
          },
    surface: situation.grip.surface,
    sign:
      posted.sign === null
        ? null
        : {
            id: posted.sign.fact.value.id,
            value: posted.sign.fact.value.value ?? null,
            unit: posted.sign.unit,
            conf: posted.sign.conf,
            prov: posted.sign.fact.provenance,
            age: age(posted.sign.fact.observedAtUs),
          },
    gantry:
      posted.gantry === null
        ? null
        : {
            id: posted.gantry.fact.value.id,
            value: posted.gantry.fact.value.value,
            unit: posted.gantry.fact.value.unit,
            conf: posted.gantry.fact.conf,
            prov: posted.gantry.fact.provenance,
            age: age(posted.gantry.fact.observedAtUs),
          },
  };
}

/** What the limit rests on, then what the meaning of a foreign sign rests on. */
function passagesBody({ law: { answer }, foreignSign }: Situation): JsonValue {
  const passage = (citation: Citation, version: string | null): JsonObject => ({
    doc_id: citation.docId,
    offset: citation.offset,
    length: citation.length,
    rulepack_version: version,
  });
  const ofLaw = (answer?.citations ?? []).map((one) => passage(one, answer?.rulepackVersion ?? null));
  const sign = foreignSign?.answer ?? null;
  const provision = sign?.row?.provision ?? null;
  return provision === null ? ofLaw : [...ofLaw, passage(provision, sign?.rulepackVersion ?? null)];
}

/** The foreign sign in view, as far as the tables know it; absent where there is none or nothing was answered. */
function explainedSignBody({ foreignSign }: Situation): JsonObject {
  if (foreignSign === null || foreignSign.answer === null) return {};
  return { sign_explained: signBody(foreignSign.seen.fact.value.id, foreignSign.answer) };
}

function fusedBody(situation: Situation): JsonObject {
  const { law, advice, grip, condition } = situation;
  return {
    legal:
      law.limit === null
        ? null
        : {
            value: law.limit.value,
            unit: law.limit.unit,
            mps: law.limit.mps,
            source: law.source,
            conf: law.conf,
          },
    advisory: law.advisory === null ? null : { ...law.advisory },
    advice:
      advice.speed === null ? null : { value: advice.speed, unit: advice.unit, target_mps: advice.targetMps },
    speed_factor: advice.speedFactor,
    headway: advice.headwayS,
    conflict: advice.tellBoth,
    // Law out of a pack that is out of date holds until there is better, and is no more than a cautious guess.
    conservative: advice.isConservative || (law.answer?.degraded.includes('expired') ?? false),
    mu_est: grip.est,
    mu_lo: grip.lo,
    mu_conf: grip.conf,
    health_risk: condition.healthRisk,
    health_coverage: condition.coverage,
    brake_effectiveness: condition.brakeEffectiveness,
  };
}

/** The raw inputs of the evaluation, under the names of the vector files. */
export function safetyInputsBody(
  inputs: Omit<SafetyInputs, 'lead'>,
  candidates: readonly LeadCandidate[],
  safety: SafetyAssessment,
): JsonObject {
  const lead = candidates.find((candidate) => candidate.id === safety.situation.lead?.id) ?? null;
  return {
    v: inputs.speedMps,
    v_age: (inputs.speedAgeUs ?? 0) / 1e6,
    lead:
      lead === null
        ? null
        : {
            id: lead.id,
            d: lead.gapM,
            dv: lead.closingMps,
            age: (lead.ageUs ?? 0) / 1e6,
            in_path: lead.inPath,
            conf: lead.confidence ?? 1,
          },
    mu:
      inputs.friction === null
        ? null
        : {
            est: inputs.friction.est,
            lo: inputs.friction.lo ?? null,
            age: (inputs.friction.ageUs ?? 0) / 1e6,
          },
    road: inputs.road ?? 'unknown',
    brake_eff: inputs.brakeEffectiveness ?? 1,
    h: inputs.healthRisk,
    h_age: (inputs.healthAgeUs ?? 0) / 1e6,
    conf: inputs.confidence ?? 1,
  };
}
