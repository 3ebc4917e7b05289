/** Faults of heavy vehicles: parameter (SPN) and way of failing (FMI), SAE J1939-73. */

import type { CodeExplanation, Language } from './code-explanation.js';
import { type Bilingual, type J1939Parameter, readJ1939Parameters, readPhrases } from './codes-file.js';
import type { J1939Code } from './dtc-code.js';

let parameters: Readonly<Record<string, J1939Parameter>> | undefined;
let failures: Readonly<Record<string, Bilingual>> | undefined;

/** From here on a maker may give a parameter any meaning (SPN 516096…524287). */
const makersSpnMin = 516_096;
/** A value that is out of range tells of the thing itself; every other way of failing tells of its sensor or wiring. */
const outOfRangeFmis: ReadonlySet<number> = new Set([0, 1, 15, 16, 17, 18, 31]);
/** Least severe levels warn early. */
const earlyFmis: ReadonlySet<number> = new Set([15, 17]);

export function explainJ1939(
  { spn, fmi }: J1939Code,
  language: Language,
  adviceText: (key: string, language: Language) => string,
): CodeExplanation {
  parameters ??= readJ1939Parameters();
  failures ??= readPhrases('j1939-failures');
  const at = language === 'en' ? 0 : 1;
  const known = parameters[String(spn)];
  const failure =
    failures[String(fmi)]?.[at] ?? (['reserved failure mode', 'reservierte Fehlerart'] as const)[at];
  const name = known?.name[at] ?? (['Parameter', 'Parameter'] as const)[at];
  const isMakers = spn >= makersSpnMin;
  const isSensor = !outOfRangeFmis.has(fmi);
  // What calls for stopping does so when the thing itself fails, and its advice is for that case.
  const isMilder = known?.class === 'stop' && (isSensor || earlyFmis.has(fmi));
  const urgency = known === undefined || isMilder ? 'soon' : known.class;
  const advice = isMilder
    ? isSensor
      ? 'sensor_of_vital'
      : 'early_warning'
    : (known?.advice ?? 'unknown_engine');
  const notes: Readonly<Record<'known' | 'makers' | 'unknown', Bilingual>> = {
    known: ['meaning fixed by the standard', 'Bedeutung von der Norm festgelegt'],
    makers: [
      "the maker's own parameter: nobody but the maker can say what it means",
      'eigener Parameter des Herstellers: nur er kann sagen, was er bedeutet',
    ],
    unknown: ['parameter not in our table', 'Parameter nicht in unserer Tabelle'],
  };
  return {
    title: known === undefined ? `${name} ${spn}: ${failure}` : `${name}: ${failure}`,
    system: 'heavy_vehicle',
    systemName: (['heavy vehicle (J1939)', 'Nutzfahrzeug (J1939)'] as const)[at],
    urgency,
    advice: adviceText(advice, language),
    certainty: known === undefined ? 'structure' : 'standard',
    note: notes[known !== undefined ? 'known' : isMakers ? 'makers' : 'unknown'][at],
    vss: known?.vss ?? '',
    failure,
  };
}
