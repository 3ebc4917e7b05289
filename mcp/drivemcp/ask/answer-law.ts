/** A question of law: the rules expert decides, the state of the car says what it means now. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { createParams } from '../../../daemon/core/params.js';
import { targetSpeed } from '../../../daemon/core/safety/target-speed.js';
import type { JsonObject } from '../../../daemon/core/tick.js';
import { displayUnitOf } from '../../../daemon/core/world/jurisdiction-profiles.js';
import { fromMps, toMps } from '../../../daemon/core/world/speed-units.js';
import { shownText } from '../../shared/shown-text.js';
import { itemsOf, membersOf, numberOf, textOf } from '../daemon-view.js';
import {
  type AskCase,
  type AskCitation,
  type AskParts,
  type AskRecord,
  askTool,
  say,
} from './answer-parts.js';
import { fillText } from './ask-texts.js';
import { knownFacts } from './known-facts.js';

const citedMaxCount = 2;
const passagesMaxCount = 3;

export async function answerLaw(one: AskCase): Promise<AskParts> {
  const { state, texts, question } = one;
  if (state.jurisdiction === null) {
    return {
      level1: say(one, 'no_place'),
      level2: [],
      citations: [],
      record: {},
      confidence: null,
      notes: [],
    };
  }
  const found = await askTool(one, 'rules', 'rules_search', {
    query: question,
    jurisdiction: state.jurisdiction,
    as_of: one.asOf,
    language: one.language,
    context: state.context,
    k: passagesMaxCount,
  });
  const answer = membersOf(found['answer']);
  const action = textOf(answer['legal_action']) ?? 'unknown_conservative';
  const citations = citationsOf(answer);
  const confidence = numberOf(answer['confidence']);
  const numbers = await speedNumbers(one, answer);
  const cites = [...new Set(citations.map(({ cite }) => cite))].slice(0, citedMaxCount).join(', ');
  const record: AskRecord = {
    ...numbers,
    legal_action: action,
    ...(cites === '' ? {} : { cites }),
    ...(confidence === null ? {} : { conf: Math.round(confidence * 100) }),
  };
  const observed = knownFacts(one);
  const isOver =
    typeof record['speed'] === 'number' &&
    Number(record['speed']) > Number(record['advice'] ?? record['limit']);
  return {
    level1: firstSentence(one, action, record),
    level2: [
      ...(isOver ? [say(one, 'over', record)] : []),
      ...(cites === '' ? [] : [say(one, 'rests_on', record)]),
      ...(observed === null ? [] : [say(one, 'observed', { facts: observed })]),
      ...(confidence === null ? [] : [fillText(texts.phrases.confidence, record, texts)]),
    ].slice(0, 3),
    citations,
    record: observed === null ? record : { ...record, facts: observed },
    confidence,
    notes: itemsOf(found['notes']).map(String),
  };
}

function firstSentence(one: AskCase, action: string, record: AskRecord): string {
  const { texts } = one;
  if (typeof record['advice'] === 'number') return say(one, 'limit_both', record);
  const template = Object.hasOwn(texts.actions, action) ? texts.actions[action] : undefined;
  const text = template ?? (texts.actions['unknown_conservative'] as string);
  // An action without its number (a limit that has ended, and nothing in its place) says so by its own sentence.
  if (text.includes('{limit}') && record['limit'] === undefined) {
    return texts.actions['unknown_conservative'] as string;
  }
  const says = fillText(text, record, texts);
  const isAboutLimit = action === 'limit_ended' || action === 'condition_inactive';
  return isAboutLimit && record['limit'] !== undefined
    ? fillText(texts.actions['obey_limit'] as string, record, texts)
    : says;
}

/** Limit, advice below it where road or car ask for it, and own speed, in the driver's unit. */
async function speedNumbers(one: AskCase, answer: JsonObject): Promise<Record<string, string | number>> {
  const { state } = one;
  const speed = membersOf(answer['limit'] ?? answer['advisory'] ?? null);
  const value = numberOf(speed['value']);
  const lawUnit = speed['unit'] === 'mph' ? 'mph' : 'km/h';
  if (value === null) return {};
  const unit = displayUnitOf(one.units, state.jurisdiction);
  const mps = toMps(value, lawUnit);
  // Rounded down, as a sign of the other unit would have to be.
  const limit = lawUnit === unit ? value : Math.floor(fromMps(mps, unit) + 1e-9);
  const record: Record<string, string | number> = { limit, unit };
  if (state.speedMps !== null) record['speed'] = Math.round(fromMps(state.speedMps, unit));
  if (state.surface === null && Object.keys(state.weather).length === 0) return record;
  const grip = await askTool(one, 'weather', 'weather_assess', {
    ...state.weather,
    ...(state.surface === null || state.surface === 'unknown' ? {} : { weather_tag: state.surface }),
    ...(state.speedMps === null ? {} : { v_mps: Math.max(0, state.speedMps) }),
    limit_mps: mps,
  });
  const friction = numberOf(grip['mu_lo']);
  if (friction === null) return record;
  const { advice, tellBoth } = targetSpeed(
    limit,
    unit,
    friction,
    await healthRisk(one),
    createParams('default'),
  );
  return tellBoth ? { ...record, advice, grip: Math.round(friction * 100) } : record;
}

/** Of a running daemon; 0 where nothing is known, as the core takes it. */
async function healthRisk(one: AskCase): Promise<number> {
  if (one.state.source !== 'daemon') return 0;
  try {
    return numberOf((await askTool(one, 'can', 'can_health', {}))['health_risk']) ?? 0;
  } catch (error) {
    if (error instanceof DriveMcpError) return 0;
    throw error;
  }
}

function citationsOf(answer: JsonObject): AskCitation[] {
  return itemsOf(answer['citations']).map((item) => {
    const { doc_id, cite, quote } = membersOf(item);
    return {
      doc_id: textOf(doc_id) ?? '',
      cite: shownText(textOf(cite) ?? '', 80),
      quote: shownText(textOf(quote) ?? '', 600),
    };
  });
}
