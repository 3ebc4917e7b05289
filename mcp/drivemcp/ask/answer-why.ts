/** "Why did you warn me?": what was said last, from the audit record that holds it. */
import { shownText } from '../../shared/shown-text.js';
import { itemsOf, membersOf, textOf } from '../daemon-view.js';
import { type AskCase, type AskParts, say } from './answer-parts.js';
import { levelOneMaxChars } from './ask-texts.js';
import { lastSpoken } from './last-spoken.js';

export async function answerWhy(one: AskCase, stateDir: string): Promise<AskParts> {
  const spoken = await lastSpoken(stateDir, one.signal);
  if (spoken === null) {
    const nothing = { level2: [], citations: [], record: {}, confidence: null, notes: [] };
    return { ...nothing, level1: say(one, 'why_none') };
  }
  const utterance = membersOf(spoken.body['utterance']);
  const said = shownText(textOf(utterance['l1']) ?? '', levelOneMaxChars);
  const whole = say(one, 'why_said', { l1: said });
  const events = itemsOf(spoken.body['events']).flatMap((event) => {
    const type = textOf(membersOf(event)['type']);
    return type === null ? [] : [shownText(type, 40).replaceAll('_', ' ')];
  });
  const decision = textOf(membersOf(spoken.body['arbitration'])['decision']) ?? '';
  const cause = events.length > 0 ? events.join(', ') : decision;
  const why = shownText(textOf(utterance['l2']) ?? '', 400);
  const { tick } = spoken;
  const tS = Math.round(spoken.tS * 100) / 100;
  return {
    level1: whole.length <= levelOneMaxChars ? whole : said,
    level2: [
      say(one, 'why_event', { tick, t_s: tS, events: cause }),
      ...(why === '' ? [] : [why]),
      ...(spoken.simulated ? [say(one, 'why_simulated')] : []),
    ],
    citations: [],
    record: {
      run_id: spoken.runId,
      tick,
      t_s: tS,
      l1: said,
      l2: why,
      decision,
      audit_hash: spoken.hash,
    },
    confidence: null,
    notes: [],
  };
}
