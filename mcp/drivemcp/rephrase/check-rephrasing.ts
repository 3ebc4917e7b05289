/**
 * What a language model makes of a text counts only if it says nothing new: no number, unit, provision or address that the
 * text does not have, no negation more or less, no longer than a driver wants. It cannot tell whether the sense is the same;
 * the first sentence of an answer is therefore never rephrased.
 */
import { unseen } from '../../shared/visible-text.js';

const charsMaxCount = 500;
const sentencesMaxCount = 3;

const numberPattern = /-?\d+(?:[.,]\d+)?/g;
const unitPattern = /^\s*(km\/h|mph|m\/s²|m\/s|km|yards?|yd|%|ms|m|s)(?![\p{L}/])/u;
/** Numbers in words of the three languages, from two on; "one" is an article in two of them. */
const numberWord =
  /(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\p{L}*(?:zehn|zig|ßig|hundert|tausend)|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante|cinquante|soixante|septante|huitante|nonante|cents?|mille|half|double|halb\p{L}*|doppelt\p{L}*|moitié)(?!\p{L})/giu;
const provision =
  /§+\s*\d+\w*(?:\s*\([^)]*\))?|(?<!\p{L})(?:art(?:icle|ikel|\.)?|rule|section|regulation|sec\.|abs(?:atz|\.)?|paragraph|paragraphe|alinéa)\s*[A-Z]?\.?\s?\d[\w.-]*|(?<!\p{L})[A-Z]\.?\s?\d{3}-\d+|(?<!\p{L})(?:StVO|StVZO|BGB|StGB|SVG|VRV|SSV|KFG|TSRGD|HWC|CVC)(?!\p{L})|Highway Code|Code de la route/giu;
const negation =
  /(?<!\p{L})(?:not|no|never|nobody|nothing|without|cannot|\p{L}+n['’]t|nicht|kein\p{L}*|nie|niemals|nichts|ohne|ne|n['’]|pas|jamais|aucune?|rien|sans)(?!\p{L})/giu;
const notProse = /https?:|www\.|```|[<>{}[\]|\\]|(?<!\p{L})(?:system|assistant|ignore|prompt)(?!\p{L})/iu;

/** @returns what is wrong with it, for people; null where it may be told */
export function checkRephrasing(text: string, offered: string): string | null {
  const said = offered.trim();
  if (said === '') return 'it is empty';
  if (said.length > charsMaxCount) return `it has more than ${charsMaxCount} characters`;
  if (unseen.test(said) || /[\n\r\t]/.test(said))
    return 'it holds characters that are not seen or not spoken';
  if (said !== said.normalize('NFC')) return 'it is not composed';
  if (notProse.test(said)) return 'it is no plain prose';
  if (said.split(/[.!?](?:\s|$)/).filter((part) => part.trim() !== '').length > sentencesMaxCount) {
    return `it has more than ${sentencesMaxCount} sentences`;
  }
  return newNumber(text, said) ?? newWords(text, said);
}

function newNumber(text: string, said: string): string | null {
  // Digits of other scripts are read as numbers by people and by no pattern.
  const foreign = /(?![0-9])[\p{Nd}\p{Nl}\p{No}]/u.exec(said.replaceAll('²', ''))?.[0];
  if (foreign !== undefined) return `it writes a number as '${foreign}'`;
  const known = quantities(text);
  const units = new Set(known.map(({ unit }) => unit));
  for (const { value, unit } of quantities(said)) {
    const same = known.filter((one) => one.value === value);
    if (same.length === 0) return `it names ${value}, which is not in the record`;
    const isKnown = same.some(
      (one) => one.unit === unit || unit === '' || (one.unit === '' && units.has(unit)),
    );
    if (!isKnown) return `it names ${value} ${unit}, which is not in the record`;
  }
  return null;
}

function quantities(text: string): { readonly value: number; readonly unit: string }[] {
  return [...text.matchAll(numberPattern)].map((match) => ({
    value: Number(match[0].replace(',', '.')),
    unit: unitPattern.exec(text.slice(match.index + match[0].length))?.[1] ?? '',
  }));
}

function newWords(text: string, said: string): string | null {
  const added = (pattern: RegExp): string | undefined => {
    const known = new Set((text.match(pattern) ?? []).map(folded));
    return (said.match(pattern) ?? []).find((found) => !known.has(folded(found)));
  };
  const number = added(numberWord);
  if (number !== undefined) return `it names '${number}', which is not in the record`;
  const cited = added(provision);
  if (cited !== undefined) return `it cites '${cited}', which the answer does not`;
  const before = negation.test(text);
  negation.lastIndex = 0;
  const after = negation.test(said);
  negation.lastIndex = 0;
  return before === after ? null : 'it denies something that the text does not, or the other way round';
}

const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();
