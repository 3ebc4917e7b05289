/** A question about the car: its trouble codes and health, from a running daemon or from codes that the driver gives. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { phrasebookOf } from '../../../daemon/core/explain/locales.js';
import type { JsonObject } from '../../../daemon/core/tick.js';
import { shownText } from '../../shared/shown-text.js';
import { itemsOf, membersOf, numberOf, textOf } from '../daemon-view.js';
import { type AskCase, type AskParts, type AskRecord, askTool, say } from './answer-parts.js';
import { levelOneMaxChars } from './ask-texts.js';

const codePattern = /\b[PCBU][0-3][0-9A-F]{3}\b/gi;
const toldMaxCount = 2;

/** @param given codes that the caller names; with those of the question they count before the daemon's */
export async function answerCar(one: AskCase, given: readonly string[]): Promise<AskParts> {
  const named = [...given, ...(one.question.match(codePattern) ?? [])];
  const codes = await askOrNull(one, 'can_dtcs', {
    ...(named.length === 0 ? {} : { codes: [...new Set(named)] }),
    language: one.language === 'fr' ? 'en' : one.language,
  });
  const listed = itemsOf(codes?.['codes']).map(membersOf);
  if (listed.length > 0) return ofCodes(one, listed);
  const health = await askOrNull(one, 'can_health', {});
  const isLamp = /lamp|leucht|light|voyant/i.test(one.question);
  if (health === null || numberOf(health['health']) === null) {
    const isRead = codes?.['is_read'] === true;
    return {
      level1: say(one, 'car_unknown'),
      level2: [...(isRead ? [say(one, 'no_codes')] : []), ...(isLamp ? [say(one, 'car_lamp')] : [])],
      citations: [],
      record: {},
      confidence: null,
      notes: [],
    };
  }
  return ofHealth(one, health, codes?.['is_read'] === true, isLamp);
}

function ofHealth(one: AskCase, health: JsonObject, isRead: boolean, isLamp: boolean): AskParts {
  const { indicators } = phrasebookOf(one.language).book;
  const worst = textOf(membersOf(itemsOf(health['contributions'])[0])['indicator']);
  const coverage = numberOf(health['coverage']);
  const record: AskRecord = {
    health: Math.floor(numberOf(health['health']) ?? 0),
    ...(worst === null ? {} : { indicator: indicators[worst] ?? (indicators['none'] as string) }),
    ...(coverage === null ? {} : { coverage: Math.round(coverage * 100) }),
  };
  return {
    level1: say(one, worst === null ? 'car_clean' : 'car_worst', record),
    level2: [
      ...(isRead ? [say(one, 'no_codes')] : []),
      ...(isLamp ? [say(one, 'car_lamp')] : []),
      ...(coverage === null ? [] : [say(one, 'car_coverage', record)]),
    ],
    citations: [],
    record,
    confidence: coverage,
    notes: [],
  };
}

function ofCodes(one: AskCase, listed: readonly JsonObject[]): AskParts {
  const told = listed.slice(0, toldMaxCount).map((code) => {
    const urgency = code['urgency'];
    return {
      code: textOf(code['code']) ?? '',
      title: shownText(textOf(code['title']) ?? '', 160),
      advice: shownText(textOf(code['advice']) ?? '', 160),
      urgency:
        one.texts.urgencies[
          urgency === 'stop' || urgency === 'soon' || urgency === 'check' ? urgency : 'info'
        ],
    };
  });
  const first = told[0] as (typeof told)[number];
  const long = say(one, 'car_codes', first);
  return {
    level1: long.length <= levelOneMaxChars ? long : say(one, 'car_code_short', first),
    level2: [
      ...told.map((code) => say(one, 'car_title', { ...code, title: code.title.replace(/\.$/, '') })),
      ...(long.length <= levelOneMaxChars ? [] : [first.advice]),
    ],
    citations: [],
    record: {
      codes_count: listed.length,
      ...Object.fromEntries(
        told.flatMap((code, i) => Object.entries(code).map(([key, value]) => [`${key}_${i + 1}`, value])),
      ),
    },
    confidence: null,
    notes: one.language === 'fr' ? ['trouble codes are explained in English: there is no French table'] : [],
  };
}

/** A daemon that is not there is an answer: nothing is known. */
async function askOrNull(one: AskCase, call: string, args: JsonObject): Promise<JsonObject | null> {
  try {
    return await askTool(one, 'can', call, args);
  } catch (error) {
    const isAbsent =
      error instanceof DriveMcpError && (error.code === 'DAEMON_ABSENT' || error.code === 'SIGNALS_REFUSED');
    if (isAbsent) return null;
    throw error;
  }
}
