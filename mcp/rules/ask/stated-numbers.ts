/** Numbers with units in a question: tonnes, metres of sight or length, time of day. */

const number = String.raw`(\d{1,3}(?:[.,]\d{1,3})?)`;
const more = String.raw`(?:über|ueber|mehr als|schwerer als|länger als|over|above|more than|longer than|heavier than|plus de|plus longue? que|boven|meer dan|langer dan|oltre|più di|sopra|superiore a|más de|superior a|ponad|powyżej|więcej niż|cięższ\p{L}* niż|nad|více než|delší než|>)`;
const less =
  "(?:unter|weniger als|keine|kaum|nicht mal|nicht einmal|under|below|less than|can't see|cannot see|barely|moins de|inférieure? à|sous|onder|minder dan|geen|sotto|meno di|inferiore a|menos de|inferior a|poniżej|mniej niż|pod|méně než|<)";
const tonnes = '(?:t|to|tonnen?|tonne[rs]?|tonner|tonnes?|tons?|ton|tonnellate|toneladas|tony|tun|tuny)';
const metres = '(?:m|meter[ns]?|metres?|meters|mètres?|metri|metro|metros|metrów|metry|metrů)';

const read = (text: string): number => Number(text.replace(',', '.'));
/** The smallest step that a rule could tell from the number itself, in tonnes and metres. */
const step = 0.001;

function measured(text: string, unit: string): { value: number; bound: 'more' | 'less' | null } | null {
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}.,])(?:(?<more>${more})|(?<less>${less}))?[\s-]*${number}[\s-]?${unit}(?![\p{L}\p{N}])`,
    'iu',
  );
  const match = pattern.exec(text);
  if (!match?.[3]) return null;
  return {
    value: read(match[3]),
    bound: match.groups?.['more'] ? 'more' : match.groups?.['less'] ? 'less' : null,
  };
}

/** `3500 kg`, `7.500 kg`, `3 500 kilos`: less than a tonne is a load, not a vehicle. */
const kilograms =
  /(?<![\p{L}\p{N}.,])(\d{1,2})[., ]?(\d{3})\s?(?:kg|kilos?|kilogram\p{L}*|kilogramm\p{L}*)(?![\p{L}\p{N}])/giu;

/** `7,5 t`, `18 tonne`, `12-Tonner`, `3500 kg`; "over 3.5 t" is a little more than it. */
export function massT(text: string): number | null {
  const found = measured(text.replace(kilograms, '$1.$2 t'), tonnes);
  if (found === null || found.value <= 0 || found.value > 200) return null;
  return found.bound === 'more' ? found.value + step : found.value;
}

/** A mass without load: what British law counts. */
export const isUnladen = (text: string): boolean =>
  /(?<!\p{L})(?:unladen|leergewicht|leermasse|à vide|leeggewicht|a vuoto|en vacío|masa własna|masy własnej|provozní hmotnost)(?!\p{L})/iu.test(
    text,
  );

/** `40 m` of sight; "less than 50 metres" is a little less. */
export function visibilityM(text: string): number | null {
  const found = measured(text, metres);
  if (found === null || found.value > 2_000) return null;
  return found.bound === 'less' ? Math.max(0, found.value - step) : found.value;
}

/** Length of a vehicle. */
export function lengthM(text: string): number | null {
  const found = measured(text, metres);
  if (found === null || found.value < 2 || found.value > 60) return null;
  return found.bound === 'more' ? found.value + step : found.value;
}

const clocks: readonly RegExp[] = [
  /(?<![\d–-])(?<!\d\s?[–-]\s?)([01]?\d|2[0-3])[:.]([0-5]\d)(?!\s?[–-]|\d|[.:]\d)\s?(?:uhr|h|hrs|hodin|am|pm|$|[^\p{L}\d])/iu,
  /(?<![\d–-])(?<![–-]\s?)([01]?\d|2[0-3])\s?(?:uhr|o'clock|uur|hodin)(?!\s?[–-])/iu,
  /(?<![\d–-])(?<![–-]\s?)(1[0-2]|\d)\s?(am|pm)(?!\p{L})/iu,
  /(?:à|a las|alle|alle ore|ore|om|o godzinie|o|v)\s([01]?\d|2[0-3])\s?(?:h|uur|hodin)(?!\s?[–-]|\p{L})/iu,
];

/** `HH:MM` of a time that is said; a span of hours (22-6 h) is none. */
export function timeOfDay(text: string): string | null {
  for (const pattern of clocks) {
    const match = pattern.exec(text);
    if (!match) continue;
    const minutes = /^\d\d$/.test(match[2] ?? '') ? (match[2] ?? '00') : '00';
    const half = /(am|pm)$/i.exec(match[0].trim())?.[1]?.toLowerCase();
    const hour = Number(match[1]);
    const own = half === 'pm' && hour < 12 ? hour + 12 : half === 'am' && hour === 12 ? 0 : hour;
    return `${String(own).padStart(2, '0')}:${minutes}`;
  }
  return null;
}
