/** "What does this sign mean?": from the sign tables, with the provision; what is not there is quoted as unknown. */
import type { JsonObject } from '../../../daemon/core/tick.js';
import { shownText } from '../../shared/shown-text.js';
import { itemsOf, membersOf, numberOf, textOf } from '../daemon-view.js';
import { type AskCase, type AskCitation, type AskParts, askTool, say } from './answer-parts.js';
import { levelOneMaxChars } from './ask-texts.js';

const quotedPattern = /["“„«‚'‘]\s*([^"“”„«»'’]{1,120}?)\s*["”“»'’]/u;
const codePattern = /\b(?=[A-Z0-9.-]*\d)[A-Z]{0,3}-?\d{1,4}(?:\.\d+)*(?:-\d{1,3})?\b/;
const textMaxChars = 120;
/** So much of an unknown sign is quoted in a sentence that is spoken about it; the whole stands in the record. */
const quoteMaxChars = 40;

export async function answerSign(one: AskCase): Promise<AskParts> {
  const { state } = one;
  const nothing = { level2: [], citations: [], record: {}, confidence: null, notes: [] };
  if (state.jurisdiction === null) return { ...nothing, level1: say(one, 'no_place') };
  const question = shownText(one.question, textMaxChars);
  const exact =
    quotedPattern.exec(one.question)?.[1] ??
    textOf(state.context['sign']) ??
    codePattern.exec(one.question)?.[0] ??
    null;
  const text = exact === null ? question : shownText(exact, textMaxChars);
  const found = await askTool(one, 'rules', 'rules_explain_sign', {
    sign: text,
    jurisdiction: state.jurisdiction,
    language: one.language,
  });
  if (found['is_known'] === true) return known(one, membersOf(itemsOf(found['meanings'])[0]));
  if (exact !== null && !/^\d+$/.test(text)) {
    const record = { text: shownText(text, quoteMaxChars), whole: text };
    return { ...nothing, level1: say(one, 'sign_unknown', record), record };
  }
  if (state.sign !== null) {
    const record = { value: state.sign.value, unit: state.sign.unit };
    return { ...nothing, level1: say(one, 'sign_limit_now', record), record };
  }
  return { ...nothing, level1: say(one, 'sign_which') };
}

async function known(one: AskCase, meaning: JsonObject): Promise<AskParts> {
  const name = textOf(meaning['name']) ?? '';
  const plain = textOf(meaning['says']) ?? '';
  const isWords = meaning['kind'] === 'words';
  const says = isWords ? say(one, 'sign_words', { name, says: plain }) : plain;
  const value = numberOf(meaning['value']);
  const isShort = says.length <= levelOneMaxChars && says !== '';
  const citations = await provision(one, meaning);
  const cites = citations.map(({ cite }) => cite).join(', ');
  const note = textOf(meaning['note']);
  return {
    level1: isShort ? says : shownText(say(one, 'sign_known', { name }), levelOneMaxChars),
    level2: [
      ...(!isShort ? [says] : isWords ? [] : [say(one, 'sign_known', { name })]),
      ...(cites === '' ? [] : [say(one, 'rests_on', { cites })]),
    ],
    citations,
    record: {
      code: textOf(meaning['code']) ?? '',
      meaning: textOf(meaning['meaning']) ?? '',
      certainty: textOf(meaning['certainty']) ?? '',
      ...(value === null ? {} : { value, unit: textOf(meaning['unit']) ?? '' }),
      ...(cites === '' ? {} : { cites }),
    },
    confidence: null,
    notes: note === null ? [] : [shownText(note)],
  };
}

async function provision(one: AskCase, meaning: JsonObject): Promise<AskCitation[]> {
  const docId = textOf(meaning['doc_id']);
  if (docId === null) return [];
  const span = textOf(meaning['span']);
  const cited = await askTool(one, 'rules', 'rules_cite', {
    doc_id: docId,
    ...(span === null ? {} : { span }),
  });
  return [
    {
      doc_id: docId,
      cite: shownText(textOf(cited['cite']) ?? docId, 80),
      quote: shownText(textOf(membersOf(itemsOf(cited['spans'])[0])['quote']) ?? '', 600),
    },
  ];
}
