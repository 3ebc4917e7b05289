/** Hours and weekdays of a supplementary plate as `time:22:00-06:00` or `time:Mo-Fr 07:00-17:00`. */

const dayNames: readonly (readonly [short: string, pattern: string])[] = [
  ['Mo', 'mo(?:n(?:day|tag)?s?)?|lun(?:di|edì|es)?'],
  ['Tu', 'tue?s?(?:day)?|di(?:enstag)?|mar(?:di|tedì|tes)?'],
  ['We', 'wed(?:nesday)?|mi(?:ttwoch)?|mer(?:credi|coledì)?|miércoles'],
  ['Th', 'thu(?:r?s?day)?|do(?:nnerstag)?|jeu(?:di)?|giovedì|gio|jueves'],
  ['Fr', 'fri?(?:day)?|freitag|ven(?:dredi|erdì)?|viernes'],
  ['Sa', 'sat?(?:urday)?|samstag|sam(?:edi)?|sabato|sábado'],
  ['Su', 'sun?(?:day)?|so(?:nntag)?|dim(?:anche)?|dom(?:enica|ingo)?'],
];
const day = dayNames.map(([, pattern]) => pattern).join('|');
const clock = '(\\d{1,2})(?:[:.h](\\d{2}))?\\s*(am|pm|a\\.m\\.|p\\.m\\.)?';
const hourWord = "(?:h(?:rs?|ours?|eures?)?|uhr|o'clock|ore|uur)?\\.?";
const window = new RegExp(
  `(?:\\b(${day})\\b\\.?\\s*(?:-|to|bis|à|au|through)\\s*\\b(${day})\\b\\.?,?\\s*)?` +
    `(?:from|between|von|zwischen|de|entre|dalle|van|od)?\\s*(?<![\\p{L}\\d.,])${clock}\\s*${hourWord}\\s*` +
    `(?:-|to|until|till|and|bis|und|à|et|a|alle|y|tot)\\s*${clock}\\s*${hourWord}(?![\\p{L}\\d])`,
  'iu',
);
const weekdays = new RegExp(`\\b(${day})\\b\\.?\\s*(?:-|to|bis|à|au|through)\\s*\\b(${day})\\b`, 'iu');

export interface TimeReading {
  readonly conditions: readonly string[];
  /** the text without the hours, so that their numbers are no limits */
  readonly rest: string;
}

/** Takes hours out of the text. A pair of numbers is hours only with `h`, `Uhr`, am/pm, minutes or weekdays. */
export function takeTimeWindows(text: string): TimeReading {
  const conditions: string[] = [];
  let rest = text;
  for (let match = window.exec(rest); match && conditions.length < 4; match = window.exec(rest)) {
    const [whole, fromDay, toDay, fromHour, fromMinute, fromHalf, toHour, toMinute, toHalf] = match;
    const isHours =
      fromDay !== undefined ||
      fromMinute !== undefined ||
      toMinute !== undefined ||
      fromHalf !== undefined ||
      toHalf !== undefined ||
      /\d\s*(?:h|uhr|heures|ore|uur|o'clock)/i.test(whole);
    const start = clockTime(fromHour, fromMinute, fromHalf ?? toHalf);
    const end = clockTime(toHour, toMinute, toHalf);
    if (!isHours || start === null || end === null) break;
    const days = fromDay && toDay ? `${shortDay(fromDay)}-${shortDay(toDay)} ` : '';
    conditions.push(`time:${days}${start}-${end}`);
    rest = `${rest.slice(0, match.index)} ; ${rest.slice(match.index + whole.length)}`;
  }
  if (conditions.length > 0 && !conditions.some((condition) => /:[A-Z]/.test(condition))) {
    const named = weekdays.exec(rest);
    if (named?.[1] && named[2]) {
      conditions[0] =
        conditions[0]?.replace('time:', `time:${shortDay(named[1])}-${shortDay(named[2])} `) ?? '';
      rest = rest.replace(named[0], ' ');
    }
  }
  return { conditions, rest };
}

function shortDay(text: string): string {
  const found = dayNames.find(([, pattern]) => new RegExp(`^(?:${pattern})$`, 'i').test(text));
  return found?.[0] ?? text;
}

function clockTime(hour = '', minute = '00', half: string | undefined): string | null {
  let h = Number(hour);
  if (half?.toLowerCase().startsWith('p') && h < 12) h += 12;
  if (half?.toLowerCase().startsWith('a') && h === 12) h = 0;
  if (h > 24 || Number(minute) > 59) return null;
  return `${String(h).padStart(2, '0')}:${minute}`;
}
