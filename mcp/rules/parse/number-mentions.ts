/** The numbers of an answer, each with its unit, where it stands, and what it is if it is no limit of the own road. */
import { tampered } from './kind-phrases.js';
import { wordMark } from './number-words.js';
import { repairMark } from './ocr-repair.js';
import type { NoLimitReason, SpeedUnit } from './parsed-answer.js';
import {
  advert,
  denied,
  mapSource,
  otherBranch,
  otherClearance,
  otherDirection,
  otherWeight,
  ownSpeed,
  routeWord,
  vehicleMarking,
} from './phrases.js';
import { unitPattern } from './speed-unit.js';

export interface NumberMention {
  readonly value: number;
  readonly start: number;
  readonly end: number;
  readonly unit: SpeedUnit | null;
  /** "50 km": the unit's end is missing */
  readonly isUnitCut: boolean;
  readonly isBracketed: boolean;
  readonly source: 'digits' | 'words' | 'repaired';
  /** the part of the sentence it stands in */
  readonly clause: string;
  /** the smaller part between commas and conjunctions: what is said of this number and of no other */
  readonly scope: string;
  /** why it is no limit of the own road; null where it may be one */
  readonly decoy: NoLimitReason | null;
  /** metres, where the number is a distance and not a speed */
  readonly distance: { readonly kind: 'ahead' | 'extent'; readonly metres: number } | null;
}

const number = new RegExp(
  `(?<mark>[${wordMark}${repairMark}])?(?<sign>(?<![\\p{L}\\p{N}%)\\]])-\\s?)?(?<![\\p{N}.,])(?<digits>\\d+(?:[.,]\\d+)?)\\s*-?\\s*(?:${unitPattern}|(?<cut>km)(?![\\p{L}/])|(?<other>%|percent|prozent|‰|°\\s*c?|€|£|\\$|¢|euros?\\b|eur\\b|cents?\\b|ct\\b|t(?:onnes?|ons?|onnen)?\\b|kg\\b|min(?:utes?|uten)?\\b|sec(?:onds?)?\\b|s\\b|hours?\\b|stunden\\b|years?\\b|people\\b|persons?\\b|seats?\\b|cars\\b|signs\\b)|(?<length>metres?\\b|meters?\\b|mètres?\\b|metri\\b|metros\\b|m\\b|yards?\\b|yds?\\b|feet\\b|ft\\b|miles?\\b|cm\\b))?`,
  'giu',
);
const metresOf: Readonly<Record<string, number>> = { m: 1, y: 0.9144, f: 0.3048, c: 0.01 };
const clauseEnd =
  /[.;\n!?](?!\d)|,\s+(?=\D)|\s(?:but|while|whereas|however|aber|während|mais|tandis\s+que|ma|mentre|pero)\s/giu;
const scopeEnd = /,\s|\s(?:and|und|et|e|y|en|i|a|or|oder|ou|but|then|dann|puis)\s|[()[\]]/giu;
const extentBefore =
  /(?:for|over|next|length|auf|über|für|sur|pendant|per|durante|voor)\s*(?:the\s+)?(?:next\s+|die\s+nächsten\s+|einer\s+länge\s+von\s+|une\s+longueur\s+de\s+)?$/iu;
const routeBefore = new RegExp(`(?<![\\p{L}])${routeWord}\\s*[-#:.]?\\s*$`, 'iu');
/** A7, B 96, M25, E45, N20, D906, I-95, US-101, SS 16: a letter of road classes right before the number */
const routeLetter = /(?<![\p{L}])(?:A|B|M|E|N|D|L|K|S|R|SS|SP|AP|RN|RD|I|US|SR|CA|DK|AS)\s*-?\s*$/u;

/** @param text clean, with marked digits (see clean-text, number-words, ocr-repair) */
export function numberMentions(text: string): NumberMention[] {
  const mentions: NumberMention[] = [];
  const bounds = partsBetween(text, clauseEnd);
  for (const match of text.matchAll(number)) {
    const groups = match.groups ?? {};
    const start = match.index;
    const end = start + match[0].trimEnd().length;
    const before = text.slice(0, start);
    const [from, to] = bounds.find(([, stop]) => start < stop) ?? [0, text.length];
    const clause = text.slice(from, to);
    const at = start - from;
    const [scopeFrom, scopeTo] = partsBetween(clause, scopeEnd).find(([, stop]) => at < stop) ?? [
      0,
      clause.length,
    ];
    const value =
      Number(groups['digits']?.replace(',', '.')) * (groups['sign'] && !/\d\s*$/.test(before) ? -1 : 1);
    const distance = distanceOf(groups, before, value, text.slice(end));
    const unit: SpeedUnit | null =
      groups['kmh'] !== undefined ? 'km/h' : groups['mph'] !== undefined ? 'mph' : null;
    mentions.push({
      value,
      start,
      end,
      unit,
      isUnitCut: groups['cut'] !== undefined && distance === null,
      isBracketed: isInside(text, start),
      source: groups['mark'] === wordMark ? 'words' : groups['mark'] === repairMark ? 'repaired' : 'digits',
      clause,
      scope: clause.slice(scopeFrom, scopeTo),
      decoy: distance === null ? decoyOf(groups, before, clause, unit, text.slice(end)) : null,
      distance,
    });
  }
  return mentions.map((mention, i) => ({
    ...mention,
    scope: narrowed(mention, mentions[i - 1], mentions[i + 1], text),
  }));
}

/** Words after a number that begin like "for", "when" speak of it; other words before a number speak of that one. */
const speaksOfNumberBefore =
  /^\s*(?:for|when|if|in|during|on|over|above|only|für|bei|wenn|pour|quand|par|en|per|quando|voor)(?![\p{L}])/iu;

/** Two numbers in one scope ("70 TRUCKS 55", "80 for cars 60 for lorries") part the words between them. */
function narrowed(
  mention: NumberMention,
  previous: NumberMention | undefined,
  next: NumberMention | undefined,
  text: string,
): string {
  const sharesPrevious =
    previous !== undefined && previous.scope === mention.scope && previous.clause === mention.clause;
  const sharesNext = next !== undefined && next.scope === mention.scope && next.clause === mention.clause;
  if (!sharesPrevious && !sharesNext) return mention.scope;
  const between = sharesPrevious ? text.slice(previous.end, mention.start) : '';
  const behind = sharesNext ? text.slice(mention.end, next.start) : mention.scope.slice(-40);
  const isBehindOurs = speaksOfNumberBefore.test(behind);
  const isBetweenOurs = sharesPrevious && !speaksOfNumberBefore.test(between);
  return `${isBetweenOurs ? between : ''} ${isBehindOurs ? behind : ''}`;
}

function partsBetween(text: string, separator: RegExp): [number, number][] {
  const bounds: [number, number][] = [];
  let from = 0;
  for (const end of text.matchAll(separator)) {
    bounds.push([from, end.index + end[0].length]);
    from = end.index + end[0].length;
  }
  bounds.push([from, text.length]);
  return bounds;
}

/** Inside round or square brackets, or after "=", "≈", "i.e.": a conversion beside the number of the sign. */
function isInside(text: string, at: number): boolean {
  const open = Math.max(text.lastIndexOf('(', at), text.lastIndexOf('[', at));
  if (open >= 0 && !/[)\]]/.test(text.slice(open, at))) return true;
  return /(?:=|≈|~|i\.e\.|roughly|about|approximately|approx\.?|around|or|entspricht|also|soit|environ|circa|ca\.?)\s*$/iu.test(
    text.slice(0, at),
  );
}

type Groups = Readonly<Record<string, string | undefined>>;

function distanceOf(groups: Groups, before: string, value: number, after: string): NumberMention['distance'] {
  const isExtent = extentBefore.test(before);
  const length = groups['length']?.toLowerCase();
  if (length !== undefined) {
    if (
      /(?:height|clearance|width|wide|high|tall|höhe|breite|hauteur|largeur)/iu.test(
        before.slice(-40) + after.slice(0, 20),
      )
    )
      return null;
    const scale = length.startsWith('mi') ? 1609.344 : (metresOf[length[0] ?? 'm'] ?? 1);
    return { kind: isExtent ? 'extent' : 'ahead', metres: Math.round(value * scale) };
  }
  if (groups['cut'] === undefined) return null;
  const isAhead =
    /(?:\bin|after|within|nach|dans|après|tra|fra|dopo|a|à|en|za|po)\s*$/iu.test(before) ||
    /^\s*(?:ahead|further|away|voraus|plus\s+loin)/iu.test(after);
  if (!isExtent && !isAhead && !/^\s*(?:long|lang)\b/iu.test(after)) return null;
  return { kind: isAhead && !isExtent ? 'ahead' : 'extent', metres: Math.round(value * 1000) };
}

function decoyOf(
  groups: Groups,
  before: string,
  clause: string,
  unit: SpeedUnit | null,
  after: string,
): NoLimitReason | null {
  const other = groups['other']?.toLowerCase();
  if (other !== undefined)
    return /[€£$¢%]|eur|cent|ct/.test(other) && !/^%|^p/.test(other) ? 'advert' : percentKind(other, clause);
  if (groups['length'] !== undefined) return 'other_sign';
  if (/[€£$¥]\s*$/u.test(before)) return 'advert';
  if (denied.test(before)) return 'no_sign';
  if (ownSpeed.test(clause)) return 'own_speed';
  if (otherDirection.test(clause)) return 'other_direction';
  if (vehicleMarking.test(clause) && !tampered.test(clause)) return 'vehicle_marking';
  if (otherBranch.test(clause)) return 'other_branch';
  if (unit === null && (routeLetter.test(before) || routeBefore.test(before))) return 'route_number';
  if (unit === null && /^\s*(?:[a-z]{1,3}\s+)?(?:road|route|street|highway)\b(?!\s*sign)/iu.test(after))
    return 'route_number';
  if (advert.test(clause)) return 'advert';
  if (mapSource.test(clause)) return 'no_sign';
  if (unit === null && (otherWeight.test(clause) || otherClearance.test(clause))) return 'other_sign';
  return null;
}

/** A percentage is a gradient on a sign and a rebate on a poster. */
function percentKind(other: string, clause: string): NoLimitReason {
  return /^(?:%|p)/.test(other) && (advert.test(clause) || /\boff\b/i.test(clause)) ? 'advert' : 'other_sign';
}
