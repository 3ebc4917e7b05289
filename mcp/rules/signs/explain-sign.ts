/**
 * Explains a sign, a plate, a gantry face or words on a sign in the driver's language. What is not in the tables is
 * said to be unknown; nothing is guessed, and text from the roadside is only ever quoted.
 */
import { phrasebookOf } from '../../../daemon/core/explain/locales.js';
import type { SignMeaning } from '../../../daemon/core/signs/sign-meanings.js';
import type { ExplainedLanguage, MeaningTexts } from './meanings.js';
import { meaningsDe } from './meanings-de.js';
import { meaningsEn } from './meanings-en.js';
import { meaningsFr } from './meanings-fr.js';
import type { Provision, SignRow, SignTable } from './sign-table.js';

const texts: Readonly<Record<ExplainedLanguage, MeaningTexts>> = {
  en: meaningsEn,
  de: meaningsDe,
  fr: meaningsFr,
};

export interface SignExplanation {
  readonly kind: 'sign' | 'plate' | 'face' | 'words';
  /** code, face or words as they stand in the table */
  readonly code: string;
  readonly country: string;
  readonly meaning: string;
  readonly value: number | null;
  readonly unit: 'km/h' | 'mph' | null;
  readonly name: string;
  readonly says: string;
  readonly provision: Provision | null;
  readonly certainty: 'A' | 'B' | 'C';
  readonly note: string | null;
  /** code of the same sign where the driver comes from; null = none known there */
  readonly home: string | null;
}

export interface SignQuestion {
  /** `274-80`, `1053-35`, `redx`, words such as `Rappel` or `ARAF`, or a meaning of the closed list (`max_speed-50`) */
  readonly text: string;
  readonly language: ExplainedLanguage;
  /** table of the driver's own country */
  readonly home?: SignTable | undefined;
}

/** All that the text can be in this country, the most exact first; empty = unknown. */
export function explainSign(table: SignTable, question: SignQuestion): SignExplanation[] {
  const text = question.text.trim();
  const found = [
    signOf(table, text, question),
    plateOf(table, text, question.language),
    faceOf(table, text, question.language),
  ];
  const exact = found.filter((one) => one !== null);
  return exact.length > 0 ? exact : wordsIn(table, text, question.language);
}

/** What the driver's language calls a sign, as a title. */
export function signName(meaning: SignMeaning, language: ExplainedLanguage): string {
  const name = phrasebookOf(language).book.signNames[meaning];
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `274-80` → row 274 and 80; a code that contains a hyphen itself (`R2-1`, `RUS-rural`) wins whole, a meaning last. */
function signOf(table: SignTable, text: string, { language, home }: SignQuestion): SignExplanation | null {
  const whole = table.signs.find(({ code }) => same(code, text));
  const parts = /^(.+)-(\d{1,3})$/.exec(text);
  const row =
    whole ??
    table.signs.find(({ code, has_value }) => has_value === true && same(code, parts?.[1] ?? '')) ??
    table.signs.find(({ meaning, has_value }) =>
      parts ? has_value === true && meaning === parts[1] : meaning === text,
    );
  if (!row) return null;
  const shown = row === whole ? null : Number(parts?.[2]);
  const value = shown ?? row.value ?? null;
  const says = texts[language].signs[row.meaning];
  const speed = value === null ? anySpeed[language] : `${value} ${table.unit}`;
  return {
    ...common(row, table),
    kind: 'sign',
    code: row.code,
    value,
    unit: value === null ? null : table.unit,
    name: signName(row.meaning, language),
    says: says.replace('{value}', speed),
    home: home === undefined || home.country === table.country ? null : codeOf(home, row.meaning, row),
  };
}

const anySpeed: Readonly<Record<ExplainedLanguage, string>> = {
  en: 'the number shown',
  de: 'angezeigt',
  fr: 'la valeur indiquée',
};

function plateOf(table: SignTable, text: string, language: ExplainedLanguage): SignExplanation | null {
  const row = table.plates.find(({ code, also }) => [code, ...(also ?? [])].some((one) => same(one, text)));
  if (!row) return null;
  const says = texts[language].plates[row.meaning];
  return { ...common(row, table), kind: 'plate', code: row.code, name: row.code, says };
}

function faceOf(table: SignTable, text: string, language: ExplainedLanguage): SignExplanation | null {
  const face = /^(?:1[0-5]0|[1-9]\d?)(ring|amber|igl)?$/.exec(text.toLowerCase());
  const name = face ? (face[1] ?? 'number') : text;
  const row = table.faces.find((one) => same(one.face, name));
  if (!row) return null;
  const value = face ? Number.parseInt(text, 10) : null;
  const says = texts[language].faces[row.meaning];
  return {
    ...common(row, table),
    kind: 'face',
    code: row.face,
    value,
    unit: value === null ? null : table.unit,
    name: row.face,
    says,
  };
}

/** Every entry of the glossary that stands in the text as whole words, in the order of the text. */
function wordsIn(table: SignTable, text: string, language: ExplainedLanguage): SignExplanation[] {
  const plain = fold(text);
  return table.words
    .flatMap((row) => {
      const at = Math.min(...[row.text, ...(row.also ?? [])].map((form) => wordAt(plain, fold(form))));
      return Number.isFinite(at) ? [{ at, row }] : [];
    })
    .sort((a, b) => a.at - b.at || b.row.text.length - a.row.text.length)
    .filter(
      ({ at, row }, i, all) =>
        !all.some(
          (other, k) => k < i && other.at <= at && at < other.at + other.row.text.length && other.row !== row,
        ),
    )
    .map(({ row }) => ({
      ...common(row, table),
      kind: 'words' as const,
      code: row.text,
      name: row.text,
      says: texts[language].words[row.meaning],
    }));
}

function wordAt(text: string, form: string): number {
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + form.length] ?? ' ';
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return at;
  }
  return Number.POSITIVE_INFINITY;
}

function common(
  row: {
    readonly meaning: string;
    readonly cite?: Provision | undefined;
    readonly certainty: 'A' | 'B' | 'C';
    readonly note?: string | undefined;
  },
  table: SignTable,
) {
  return {
    country: table.country,
    meaning: row.meaning,
    value: null as number | null,
    unit: null as SignExplanation['unit'],
    provision: row.cite ?? null,
    certainty: row.certainty,
    note: row.note ?? null,
    home: null as string | null,
  };
}

function codeOf(home: SignTable, meaning: SignMeaning, row: SignRow): string | null {
  const same = home.signs.filter((one) => one.meaning === meaning);
  return (same.find((one) => one.has_value === row.has_value) ?? same[0])?.code ?? null;
}

const fold = (text: string): string => text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ');
const same = (a: string, b: string): boolean => fold(a) === fold(b);
