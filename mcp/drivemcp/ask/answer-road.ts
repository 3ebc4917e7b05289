/** A question about the road: what the weather expert says of what is known now. */
import { phrasebookOf } from '../../../daemon/core/explain/locales.js';
import { itemsOf, membersOf, numberOf, textOf } from '../daemon-view.js';
import { type AskCase, type AskParts, askTool, say } from './answer-parts.js';

/** From here on the weather expert itself calls the risk high. */
const slipperyBelow = 0.4;

export async function answerRoad(one: AskCase): Promise<AskParts> {
  const { state } = one;
  const hasAny = state.surface !== null || Object.keys(state.weather).length > 0;
  const nothing = { citations: [], record: {}, confidence: null, notes: [] };
  if (!hasAny) return { ...nothing, level1: say(one, 'road_unknown'), level2: [] };
  const grip = await askTool(one, 'weather', 'weather_assess', {
    ...state.weather,
    ...(state.surface === null || state.surface === 'unknown' ? {} : { weather_tag: state.surface }),
    ...(state.speedMps === null ? {} : { v_mps: Math.max(0, state.speedMps), with_gap: true }),
  });
  const friction = numberOf(grip['mu_lo']) ?? 0;
  const confidence = numberOf(grip['confidence']);
  const { surfaces } = phrasebookOf(one.language).book;
  const headway = numberOf(grip['headway_s']);
  const record = {
    surface: surfaces[textOf(grip['surface']) ?? 'unknown'] ?? (surfaces['unknown'] as string),
    grip: Math.round(Math.min(1, friction) * 100),
    risk_level: textOf(grip['risk_level']) ?? '',
    ...(headway === null ? {} : { headway: Math.ceil(headway * 10) / 10 }),
    ...(confidence === null ? {} : { conf: Math.round(confidence * 100) }),
  };
  return {
    level1: say(one, friction < slipperyBelow ? 'road_slippery' : 'road_known', record),
    level2: [
      ...(headway === null ? [] : [say(one, 'road_gap', record)]),
      ...(confidence === null ? [] : [say(one, 'confidence', record)]),
    ],
    citations: [],
    record,
    confidence,
    notes: itemsOf(membersOf(grip['outside'])['notes']).map(String),
  };
}
