/** Reads the answer to "what limit is shown?", at the roadside or on a gantry. */
import { type Choice, chooseLimit, isPossible } from './choose-limit.js';
import { cleanText } from './clean-text.js';
import { readLanes } from './gantry-lanes.js';
import * as kinds from './kind-phrases.js';
import { limitKind } from './limit-kind.js';
import { type NumberMention, numberMentions } from './number-mentions.js';
import { digitsForWords } from './number-words.js';
import { repairDigits } from './ocr-repair.js';
import type {
  AlternativeLimit,
  AnswerDetails,
  NoLimitReason,
  ParsedLimit,
  ParsedNothing,
  SpeedUnit,
} from './parsed-answer.js';
import * as phrases from './phrases.js';
import { inMps } from './speed-unit.js';
import { takeTimeWindows } from './time-windows.js';

type SpeedQuestion = 'speed_sign' | 'gantry';

/** Confidence where letters of another script or hidden characters were mixed in. */
const disguisedCap = 0.4;
/** … where a number beside the limit is none that a sign can show */
const implausibleCap = 0.2;
const walkingPaceKmh = 7;

/** @param local unit of the jurisdiction, null where it is unknown */
export function readSpeedAnswer(
  raw: string,
  question: SpeedQuestion,
  local: SpeedUnit | null,
  country: string | null,
): ParsedLimit | ParsedNothing {
  const { text: clean, wasDisguised } = cleanText(raw);
  if (!/[\p{L}\p{N}]/u.test(clean)) return nothing('empty');
  if (phrases.instruction.test(clean)) return { status: 'reject', reason: 'instruction_like' };
  const { conditions: times, rest } = takeTimeWindows(repairDigits(digitsForWords(clean)));
  const mentions = numberMentions(rest);
  const details = detailsOf(clean, mentions, question);
  if (question === 'gantry') {
    const lanes = readLanes(rest, local);
    if (lanes) return lanes;
  }
  const plain = mentions.filter((mention) => mention.decoy === null && mention.distance === null);
  // The mass of "80 for vehicles over 3.5 t" belongs to the condition, not to the list of numbers.
  if (plain.length === 0) return withoutNumber(clean, mentions, details, question, country);
  if (
    phrases.townSign.test(clean) &&
    plain.every((mention) => mention.unit === null || phrases.townSign.test(mention.clause))
  )
    return { ...nothing('town_sign'), cue: 'town_entry' };
  if (phrases.priorKnowledge.test(clean) && !isShown(clean)) return nothing('no_sign');
  if (!plain.some((mention) => isPossible(mention, local)))
    return { status: 'reject', reason: 'out_of_range' };
  return limitFrom(plain, { clean, times, details, question, local, wasDisguised });
}

interface Reading {
  readonly clean: string;
  readonly times: readonly string[];
  readonly details: AnswerDetails;
  readonly question: SpeedQuestion;
  readonly local: SpeedUnit | null;
  readonly wasDisguised: boolean;
}

function limitFrom(plain: readonly NumberMention[], reading: Reading): ParsedLimit | ParsedNothing {
  const { clean, times, details, question, local } = reading;
  const conditional = plain.filter(
    (mention) => conditionsOf(mention.scope).length > 0 || isForHgv(mention.scope),
  );
  const minimal = plain.filter((mention) => kinds.minimum.test(plain.length > 1 ? mention.scope : clean));
  const main = plain.filter((mention) => !conditional.includes(mention) && !minimal.includes(mention));
  const primary =
    main.length > 0 ? main : conditional.length > 0 && minimal.length < plain.length ? conditional : minimal;
  const manner = {
    isHedged: phrases.hedge.test(clean),
    isCorrected: phrases.correction.test(clean),
    isTampered: kinds.tampered.test(clean),
  };
  const choice = chooseLimit(primary, local, manner);
  if (!choice) return { status: 'reject', reason: 'out_of_range' };
  const own = primary === main && main.length > 0 ? [] : conditionsOf(clean);
  const asideConditional = primary === conditional ? [] : conditional;
  const asideMinimal = primary === minimal ? [] : minimal;
  const [shown, impossible] = parted(asideConditional, (mention) => isPossible(mention, local));
  const alternatives = shown.map((mention): AlternativeLimit => alternative(mention, choice));
  const minimum = asideMinimal.find((mention) => isPossible(mention, local))?.value;
  // A number beside the limit that no sign can show: something was misread, so nothing of this answer is certain.
  const isImplausible = impossible.length > 0 || asideMinimal.some((mention) => !isPossible(mention, local));
  // "bei Nässe -80" is more likely a dash than a minus: what it would be then counts for the slowest reading.
  const asDashes = impossible
    .map((mention) => ({ ...mention, value: -mention.value }))
    .filter((mention) => isPossible(mention, local));
  const hasAside = asideConditional.length > 0;
  const conditions = [...(hasAside ? [] : conditionsOf(clean)), ...own, ...times];
  const vehicle = !hasAside && isForHgv(clean);
  const mass = kinds.massLimit.exec(clean)?.[1]?.replace(',', '.');
  return {
    status: isImplausible ? 'ambiguous' : choice.status,
    kind: limitKind(clean, question, primary === minimal),
    value: choice.value,
    unit: choice.unit,
    unit_source: choice.unitSource,
    conditions: [...new Set([...conditions, ...(mass !== undefined && !hasAside ? [`mass>${mass}`] : [])])],
    conservative: slowest(choice, [
      ...alternatives,
      ...asDashes.map((mention) => alternative(mention, choice)),
    ]),
    confidence_max: Math.min(
      choice.confidenceMax,
      ...(reading.wasDisguised ? [disguisedCap] : []),
      ...(isImplausible ? [implausibleCap] : []),
    ),
    ...details,
    ...(choice.candidates.length > 0 ? { candidates: choice.candidates } : {}),
    ...(choice.isUnitConflict ? { conflict: 'unit_vs_jurisdiction' as const } : {}),
    ...(choice.isImplausible || isImplausible ? { implausible: true as const } : {}),
    ...(alternatives.length > 0 ? { alternatives } : {}),
    ...(minimum === undefined ? {} : { minimum }),
    ...(vehicle ? { vehicle: 'hgv' as const } : {}),
  };
}

function parted<T>(all: readonly T[], holds: (one: T) => boolean): [T[], T[]] {
  return [all.filter(holds), all.filter((one) => !holds(one))];
}

const isForHgv = (text: string): boolean => kinds.hgv.test(text);
const isShown = (text: string): boolean =>
  /\b(?:sign|it|board|display|gantry|plate)\s+(?:\w+\s+)?(?:shows?|says?|reads?|displays?|indicates?)|\bschild\s+(?:zeigt|sagt)|panneau\s+(?:indique|affiche|montre)/i.test(
    text,
  ) && !phrases.noSign.test(text);

function conditionsOf(text: string): string[] {
  return kinds.conditionWords.filter(([, pattern]) => pattern.test(text)).map(([condition]) => condition);
}

function alternative(mention: NumberMention, choice: Choice): AlternativeLimit {
  const conditions = conditionsOf(mention.scope);
  return {
    value: mention.value,
    ...(mention.unit !== null && mention.unit !== choice.unit ? { unit: mention.unit } : {}),
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(isForHgv(mention.scope) ? { vehicle: 'hgv' as const } : {}),
  };
}

function slowest(choice: Choice, alternatives: readonly AlternativeLimit[]): ParsedLimit['conservative'] {
  let result = choice.conservative;
  for (const other of alternatives) {
    const unit = other.unit ?? choice.unit;
    if (unit !== null && inMps(other.value, unit) < inMps(result.value, result.unit ?? 'km/h'))
      result = { value: other.value, unit };
  }
  return result;
}

function detailsOf(
  clean: string,
  mentions: readonly NumberMention[],
  question: SpeedQuestion,
): AnswerDetails {
  const ahead = mentions.find((mention) => mention.distance?.kind === 'ahead')?.distance?.metres;
  const extent = mentions.find((mention) => mention.distance?.kind === 'extent')?.distance?.metres;
  return {
    ...(kinds.zone.test(clean) ? { zone: true as const } : {}),
    ...(kinds.repeater.test(clean) ? { repeater: true as const } : {}),
    ...(ahead !== undefined || kinds.upcoming.test(clean) ? { upcoming: true as const } : {}),
    ...(ahead === undefined ? {} : { ahead_m: ahead }),
    ...(extent === undefined ? {} : { extent_m: extent }),
    ...(kinds.redCross.test(clean) ? { lane_closed: true as const } : {}),
    ...(question === 'speed_sign' && kinds.variableSign.test(clean)
      ? { variable_present: true as const }
      : {}),
    ...(question === 'gantry' && kinds.redRing.test(clean) ? { mandatory: true } : {}),
    ...(question === 'gantry' && !kinds.redRing.test(clean) && kinds.amberLanterns.test(clean)
      ? { mandatory: false }
      : {}),
  };
}

/** No number of the own road: an end, a national limit, a walking pace, or a reason why there is nothing. */
function withoutNumber(
  clean: string,
  mentions: readonly NumberMention[],
  details: AnswerDetails,
  question: SpeedQuestion,
  country: string | null,
): ParsedLimit | ParsedNothing {
  const decoy = mentions.find((mention) => mention.decoy !== null);
  if (decoy?.decoy) return { ...nothing(decoy.decoy), ...details, ...otherValue(decoy) };
  const isNegated = /^\s*(?:no|none|kein\p{L}*|aucun\p{L}*|nothing|not)\b/iu.test(clean);
  if (!isNegated) {
    if (kinds.national.test(clean)) return wordLimit('national', details);
    if (kinds.walkingPace.test(clean) || kinds.livingStreet.test(clean)) return walkingPace(details);
    if (kinds.strokedDisc.test(clean)) return wordLimit(isBritish(country) ? 'national' : 'end_all', details);
    if (kinds.endedAll.test(clean)) return wordLimit('end_all', details);
    if (kinds.ended.test(clean) && !phrases.townSign.test(clean)) return wordLimit('end', details);
  }
  return {
    ...nothing(reasonOf(clean, question)),
    ...details,
    ...(phrases.townSign.test(clean) ? { cue: 'town_entry' as const } : {}),
  };
}

function reasonOf(clean: string, question: SpeedQuestion): NoLimitReason {
  if (phrases.townSign.test(clean)) return 'town_sign';
  if (phrases.noLimit.test(clean)) return 'no_limit';
  if (question === 'gantry') {
    if (phrases.unreadable.test(clean)) return 'unreadable';
    if (phrases.blank.test(clean)) return 'blank';
    return phrases.noSign.test(clean) ? 'no_sign' : 'no_limit';
  }
  const namesAnother = phrases.otherSign.test(clean);
  if (phrases.unreadable.test(clean)) return 'unreadable';
  if (phrases.ownSpeed.test(clean)) return 'own_speed';
  if (namesAnother && !saysNoSign(clean)) return 'other_sign';
  if (phrases.noSign.test(clean)) return 'no_sign';
  if (phrases.blank.test(clean)) return 'blank';
  if (phrases.advert.test(clean)) return 'advert';
  return namesAnother ? 'other_sign' : 'no_sign';
}

/** "no stop sign visible" is no sign; "no overtaking" is one */
function saysNoSign(text: string): boolean {
  return /^\s*(?:none\b|(?:there\s+(?:is|are)\s+)?no\s+(?:(?:visible|speed|limit|traffic|road|relevant|legible|such|other|stop|warning)\s+){0,4}signs?\b|kein\p{L}*\s+(?:\p{L}+\s+)*(?:\p{L}*schild|zeichen)|aucun)/iu.test(
    text,
  );
}

function otherValue(mention: NumberMention): AnswerDetails {
  const isSpeed =
    mention.decoy === 'own_speed' ||
    mention.decoy === 'other_direction' ||
    mention.decoy === 'other_branch' ||
    mention.decoy === 'vehicle_marking';
  return isSpeed ? { other: { value: mention.value, unit: mention.unit } } : {};
}

const isBritish = (country: string | null): boolean => country !== null && /^(?:GB|UK)/i.test(country);

function wordLimit(kind: 'national' | 'end' | 'end_all', details: AnswerDetails): ParsedLimit {
  return {
    status: 'ok',
    kind,
    value: null,
    unit: null,
    unit_source: null,
    conditions: [],
    conservative: null,
    confidence_max: 0.9,
    ...details,
  };
}

/** Courts read "walking pace" as 4 to 10 km/h; 7 is the convention of our evaluator. */
function walkingPace(details: AnswerDetails): ParsedLimit {
  const value = { value: walkingPaceKmh, unit: 'km/h' } as const;
  return {
    status: 'ok',
    kind: 'max',
    ...value,
    unit_source: 'derived',
    conditions: [],
    conservative: value,
    confidence_max: 0.8,
    ...details,
    zone: true,
    walking_pace: true,
  };
}

function nothing(reason: NoLimitReason): ParsedNothing {
  return { status: 'none', reason };
}
