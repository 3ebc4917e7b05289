/** What is known of a code: from the table where it stands there, else from its structure, and saying which. */

import type { Certainty, CodeExplanation, Language } from './code-explanation.js';
import { type Bilingual, type KnownCode, readAdvice, readCodesFile, readPhrases } from './codes-file.js';
import type { DtcCode, ObdCode } from './dtc-code.js';
import { structureOf } from './dtc-structure.js';
import { explainJ1939 } from './j1939-fault.js';

/** By the letter of the code, so that a body code does not wait for a thousand lines about engines. */
export const codeFiles: Readonly<Record<string, readonly string[]>> = {
  P: [
    'air-fuel',
    'injection-boost',
    'ignition',
    'emissions',
    'cooling-oil',
    'speed-electrical',
    'transmission',
    'hybrid',
  ],
  C: ['chassis'],
  B: ['body'],
  U: ['network'],
};

const loaded = new Map<string, ReadonlyMap<string, KnownCode>>();
let failureTypes: Readonly<Record<string, Bilingual>> | undefined;
let advice: ReturnType<typeof readAdvice> | undefined;

const systemNames: Readonly<Record<string, Bilingual>> = {
  air_fuel: ['air and fuel', 'Luft und Kraftstoff'],
  ignition: ['ignition and misfire', 'Zündung und Aussetzer'],
  emissions: ['exhaust cleaning', 'Abgasreinigung'],
  cooling_oil: ['cooling and oil', 'Kühlung und Öl'],
  speed_electrical: [
    'speed, idle, supply and control units',
    'Geschwindigkeit, Leerlauf, Versorgung, Steuergeräte',
  ],
  transmission: ['gearbox', 'Getriebe'],
  hybrid: ['electric drive', 'elektrischer Antrieb'],
  powertrain: ['engine and gearbox', 'Motor und Getriebe'],
  brakes_steering: ['brakes, steering, suspension', 'Bremse, Lenkung, Fahrwerk'],
  restraints_body: ['body and restraints', 'Karosserie und Rückhaltesysteme'],
  network: ['communication between control units', 'Kommunikation der Steuergeräte'],
};

const notes: Readonly<Record<Certainty, Bilingual>> = {
  standard: ['meaning fixed by the standard', 'Bedeutung von der Norm festgelegt'],
  varies: [
    'makers use this number for different things: ask a workshop of the maker',
    'Hersteller benutzen diese Nummer verschieden: in der Markenwerkstatt fragen',
  ],
  structure: [
    'not in our table: only its structure is known',
    'nicht in unserer Tabelle: nur der Aufbau ist bekannt',
  ],
};
const makersNote: Bilingual = [
  "the maker's own code: nobody but the maker can say what it means",
  'eigener Code des Herstellers: nur er kann sagen, was er bedeutet',
];

export function explainCode(code: DtcCode, language: Language): CodeExplanation {
  if (isNoCode(code)) return noCode(language);
  if (code.kind === 'j1939') return explainJ1939(code, language, adviceText);
  const pick = picker(language);
  const known = knownCode(code.code);
  const failure = failureText(code, language);
  if (known === undefined) return { ...byStructure(code.code, language), failure };
  return {
    title: pick(known.title),
    system: known.system,
    systemName: pick(systemNames[known.system] ?? systemNames['powertrain']),
    urgency: known.urgency,
    advice: adviceText(known.advice, language),
    certainty: known.certainty,
    note: pick(notes[known.certainty]),
    vss: known.vss,
    failure,
  };
}

/** All bits zero fill up lists and stand for "none" (SAE J1979, J1939-73); P0000 is no fault. */
function isNoCode(code: DtcCode): boolean {
  return code.kind === 'obd' ? code.code === 'P0000' : code.spn === 0 && code.fmi === 0;
}

function noCode(language: Language): CodeExplanation {
  const pick = picker(language);
  return {
    title: pick(['No code: a place in the list that is not used', 'Kein Code: unbenutzter Platz der Liste']),
    system: 'none',
    systemName: pick(['none', 'keines']),
    urgency: 'info',
    advice: adviceText('no_code', language),
    certainty: 'standard',
    note: pick(notes.standard),
    vss: '',
    failure: '',
  };
}

/** The entry of the table, or undefined. */
export function knownCode(code: string): KnownCode | undefined {
  return tableOf(code[0] ?? '').get(code);
}

/** Codes of the table that begin so, sorted; of one letter at least. */
export function knownCodesFrom(begun: string): string[] {
  return [...tableOf(begun[0] ?? '').keys()].filter((code) => code.startsWith(begun)).sort();
}

function tableOf(letter: string): ReadonlyMap<string, KnownCode> {
  let table = loaded.get(letter);
  if (table === undefined) {
    table = new Map((codeFiles[letter] ?? []).flatMap(readCodesFile));
    loaded.set(letter, table);
  }
  return table;
}

function byStructure(code: string, language: Language): Omit<CodeExplanation, 'failure'> {
  const pick = picker(language);
  const { systemKey, definedBy } = structureOf(code);
  const systemName = pick(systemNames[systemKey]);
  const isSafety = systemKey === 'brakes_steering' || systemKey === 'restraints_body';
  const isNetwork = systemKey === 'network';
  return {
    title: pick(
      definedBy === 'manufacturer'
        ? [`Maker's own code about ${systemName}`, `Eigener Code des Herstellers: ${systemName}`]
        : [`Code about ${systemName}`, `Code zu ${systemName}`],
    ),
    system: systemKey,
    systemName,
    urgency: 'soon',
    advice: adviceText(isSafety ? 'unknown_safety' : isNetwork ? 'network' : 'unknown_engine', language),
    certainty: 'structure',
    note: pick(definedBy === 'manufacturer' ? makersNote : notes.structure),
    vss: '',
  };
}

function failureText({ ftb }: ObdCode, language: Language): string {
  if (ftb === null || ftb === 0) return '';
  failureTypes ??= readPhrases('failure-types');
  const known = failureTypes[ftb.toString(16).toUpperCase().padStart(2, '0')];
  if (known !== undefined) return picker(language)(known);
  // F0…FF are each maker's own; the rest is reserved or newer than our table.
  const unknown: Bilingual =
    ftb >= 0xf0
      ? ["maker's own failure type", 'eigener Fehlertyp des Herstellers']
      : ['failure type not in our table', 'Fehlertyp nicht in unserer Tabelle'];
  return picker(language)(unknown);
}

function adviceText(key: string, language: Language): string {
  advice ??= readAdvice();
  return advice[key]?.[language] ?? '';
}

export function picker(language: Language): (text: Bilingual | undefined) => string {
  return (text) => text?.[language === 'en' ? 0 : 1] ?? '';
}
