/** The files of the knowledge base: how they are written down, and one code at a time out of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { DriveMcpError } from '../../core/errors.js';
import { shippedFolder } from '../shipped-folder.js';

/** English, then German. */
const bilingual = z.tuple([z.string().min(1), z.string().min(1)]);
export type Bilingual = readonly [en: string, de: string];

/** `stop` stop where it is safe · `soon` workshop within days · `check` at the next chance · `info` comfort. */
export const urgencies = ['stop', 'soon', 'check', 'info'] as const;
export type Urgency = (typeof urgencies)[number];

const code = z.string().regex(/^[PCBU][0-3][0-9A-F]{3}$/);
const shared = {
  class: z.enum(urgencies),
  advice: z.string(),
  /** `varies`: makers use this number for different things */
  certainty: z.enum(['standard', 'varies']).default('standard'),
  vss: z.string().startsWith('Vehicle.').optional(),
};
const group = z.union([
  z.strictObject({ codes: z.record(code, bilingual), ...shared }),
  z.strictObject({ part: bilingual, faults: z.record(code, z.string()), ...shared }),
  z.strictObject({
    part: bilingual,
    numbered: z.record(code, z.number().int().positive()),
    fault: z.string().optional(),
    ...shared,
  }),
]);
const codesFile = z.strictObject({ system: z.string(), codes: z.array(group) });
const texts = z.record(z.string(), z.strictObject({ en: z.string(), de: z.string() }));
const phrases = z.record(z.string(), bilingual);
const j1939Parameters = z.record(
  z.string().regex(/^[0-9]+$/),
  z.strictObject({
    name: bilingual,
    class: z.enum(urgencies),
    advice: z.string(),
    vss: z.string().startsWith('Vehicle.').optional(),
  }),
);
export type J1939Parameter = z.output<typeof j1939Parameters>[string];

export interface KnownCode {
  readonly title: Bilingual;
  readonly system: string;
  readonly urgency: Urgency;
  /** key of the advice texts */
  readonly advice: string;
  readonly certainty: 'standard' | 'varies';
  /** signal that shows the same thing, '' where there is none */
  readonly vss: string;
}

/** @returns the codes of one file, in its order; a code that stands there twice is an error of the file */
export function readCodesFile(name: string): readonly (readonly [code: string, known: KnownCode])[] {
  const { system, codes } = read(name, codesFile);
  const faults = faultPhrases();
  const entries: [string, KnownCode][] = [];
  for (const each of codes) {
    const about = {
      system,
      urgency: each.class,
      advice: each.advice,
      certainty: each.certainty,
      vss: each.vss ?? '',
    };
    for (const [code, title] of titlesOf(each, faults)) entries.push([code, { title, ...about }]);
  }
  return entries;
}

type Phrases = Readonly<Record<string, Bilingual>>;

function titlesOf(each: z.output<typeof group>, faults: Phrases): [string, Bilingual][] {
  if ('codes' in each) return Object.entries(each.codes);
  if ('faults' in each) {
    return Object.entries(each.faults).map(([code, fault]) => [code, joined(each.part, faults[fault])]);
  }
  return Object.entries(each.numbered).map(([code, number]) => {
    const part: Bilingual = [`${each.part[0]} ${number}`, `${each.part[1]} ${number}`];
    return [code, each.fault === undefined ? part : joined(part, faults[each.fault])];
  });
}

function joined(part: Bilingual, fault: Bilingual | undefined): Bilingual {
  if (fault === undefined) throw new Error('a fault of the knowledge base has no phrase');
  return [`${part[0]}: ${fault[0]}`, `${part[1]}: ${fault[1]}`];
}

let cachedFaults: Phrases | undefined;

function faultPhrases(): Phrases {
  cachedFaults ??= readPhrases('faults');
  return cachedFaults;
}

export function readPhrases(name: string): Phrases {
  return read(name, phrases);
}

/** By suspect parameter number. */
export function readJ1939Parameters(): Readonly<Record<string, J1939Parameter>> {
  return read('j1939', j1939Parameters);
}

export function readAdvice(): Readonly<Record<string, { readonly en: string; readonly de: string }>> {
  return read('advice', texts);
}

function read<T>(name: string, schema: z.ZodType<T>): T {
  const folder = shippedFolder('dtc/codes');
  if (folder === null) {
    throw new DriveMcpError('FILE_MISSING', 'the knowledge base of trouble codes is not there', {
      hint: 'it comes with the package under daemon/vehicles/dtc/codes',
    });
  }
  return schema.parse(parse(readFileSync(join(folder, `${name}.yaml`), 'utf8')));
}
