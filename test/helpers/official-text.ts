/**
 * Finds a provision in the official sample texts of the corpus: German statute as Markdown (§, Absatz, Nummer, Buchstabe),
 * Anlage 2 as a table by running number, the French code by article, the Highway Code by rule.
 */
import { readFileSync } from 'node:fs';
import { corpusFile } from './paths.js';

type Samples = {
  readonly statute: string;
  readonly signs: string;
  readonly advisory: string;
  readonly french: string;
  readonly highway: string;
};

/** The samples, or null where the corpus is absent. */
export function officialSamples(): Samples | null {
  const read = (country: string, name: string): string | null => {
    const file = corpusFile('rules', 'samples', country, name);
    return file === null ? null : readFileSync(file, 'utf8');
  };
  const statute = read('de', 'stvo_p3_p4_p7_p11_p18_p37_p39.md');
  const signs = read('de', 'stvo_anlage2_abschnitt7.md');
  const advisory = read('de', 'BJNR018240978.gii.xml');
  const french = read('fr', 'code_route_extraits.md');
  const highway = read('gb', 'highway_code_r124-126_r255-261.md');
  if (statute === null || signs === null || advisory === null || french === null || highway === null)
    return null;
  return { statute, signs, advisory, french, highway };
}

/**
 * The official text behind a citation, white space made single, or null where the samples do not hold it.
 * @param doc document id such as `de:stvo:p3`
 * @param span span name such as `3.2.c`
 */
export function officialProvision(samples: Samples, doc: string, span: string): string | null {
  const [country, act, unit = ''] = doc.split(':');
  const raw = (() => {
    if (country === 'de' && act === 'stvo' && unit.startsWith('p'))
      return germanSection(samples.statute, unit.slice(1), span);
    if (country === 'de' && act === 'stvo' && unit.startsWith('anl2.'))
      return annexEntry(samples.signs, unit.slice('anl2.'.length));
    if (country === 'de' && act === 'babrigeschwv') return samples.advisory.replace(/<[^>]*>/g, ' ');
    if (country === 'fr' && act === 'cdr') return frenchArticle(samples.french, unit.toUpperCase(), span);
    if (country === 'gb' && act === 'hc') return highwayRule(samples.highway, unit.slice(1), span);
    return null;
  })();
  return raw === null ? null : raw.replace(/\s+/g, ' ');
}

/** `3`, `3.2.c` → § 3, Absatz 3, Nummer 2, Buchstabe c. */
function germanSection(text: string, section: string, span: string): string | null {
  let part = between(text, new RegExp(`^### § ${section} `, 'm'), /^### § /m);
  const steps = [
    (name: string) => [new RegExp(`^\\s*\\(${name}\\)`, 'm'), /^\s*\(\d+[a-z]?\)/m],
    (name: string) => [new RegExp(`^${name}\\. `, 'm'), /^\d+\. /m],
    (name: string) => [new RegExp(`^ +${name}\\) `, 'm'), /^ {4}[a-z]\) /m],
  ] as const;
  for (const [index, name] of span.split('.').entries()) {
    const step = steps[index];
    if (part === null || !step) return part;
    const [start, next] = step(name) as [RegExp, RegExp];
    part = between(part, start, next);
  }
  return part;
}

function annexEntry(text: string, number: string): string | null {
  return between(text, new RegExp(`^\\*    \\*   ${number.replace('.', '\\.')}\\n`, 'm'), /^\* {4}\* {3}/m);
}

/** Spans of an article: roman part, then number with °; an article without parts counts its numbers or its paragraphs. */
function frenchArticle(text: string, article: string, span: string): string | null {
  const whole = between(text, new RegExp(`^##### Article ${article}\\n`, 'm'), /^##### /m);
  if (whole === null) return null;
  const names = span.split('.');
  const roman = ['', 'I', 'II', 'III', 'IV', 'V'][Number(names[0])] ?? '';
  const part = between(whole, new RegExp(`^${roman}\\. ?-`, 'm'), /^[IV]+\. ?-/m);
  if (part !== null)
    return names[1] === undefined ? part : between(part, new RegExp(`^${names[1]}° `, 'm'), /^\d+° /m);
  const numbered = between(whole, new RegExp(`^${names[0]}° `, 'm'), /^\d+° /m);
  if (numbered !== null) return `${whole.slice(0, whole.search(/^1° /m))} ${numbered}`;
  return whole.trim().split(/\n\s*\n/)[Number(names[0]) - 1] ?? null;
}

const rowsOfRule124: Record<string, RegExp> = {
  car: /^\| Cars & motorcycles.*$/m,
  'car.trailer': /^\| Cars towing.*$/m,
  'motorhome.light': /^\| Motorhomes .*not exceeding.*$/m,
  motorhome: /^\| Motorhomes .*\(exceeding.*$/m,
  coach: /^\| Buses.*$/m,
  'coach.long': /^† .*$/m,
  'goods.light': /^\| Goods vehicles \(not exceeding.*$/m,
  'goods.light.articulated': /^†† .*$/m,
  'goods.heavy': /^\| Goods vehicles \(exceeding.*England and Wales.*$/m,
  'goods.heavy.scotland': /^\| Goods vehicles \(exceeding.*Scotland.*$/m,
};

function highwayRule(text: string, rule: string, span: string): string | null {
  const whole = between(text, new RegExp(`^### Rule ${rule}\\n`, 'm'), /^### Rule /m);
  const row = rule === '124' ? rowsOfRule124[span] : undefined;
  if (whole === null || row === undefined) return whole;
  const found = row.exec(whole)?.[0];
  if (found === undefined) return null;
  // The footnotes of the table belong to its last column.
  if (!found.startsWith('|')) return `${found} ${/\d+ mph/.exec(found)?.[0]} on motorways`;
  // The columns by name, so that a number is compared with the road it stands for.
  const [, , , single, dual, motorway] = found
    .split('|')
    .slice(1)
    .map((cell) => /\*\*(\d+)/.exec(cell)?.[1] ?? '');
  return `${found} ${single} mph on single carriageways, ${dual} mph on dual carriageways, ${motorway} mph on motorways`;
}

/** From the line that begins a part up to the line that begins the next one. */
function between(text: string, start: RegExp, next: RegExp): string | null {
  const found = start.exec(text);
  if (!found) return null;
  const rest = text.slice(found.index + found[0].length);
  const end = next.exec(rest);
  return end ? rest.slice(0, end.index) : rest;
}
