/** The knowledge base of trouble codes: that every entry is whole, plain and right, and the spellings of codes. */
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { codeOf } from '../../daemon/vehicles/diagnostics/trouble-code.js';
import {
  readAdvice,
  readCodesFile,
  readJ1939Parameters,
  readPhrases,
} from '../../daemon/vehicles/dtc/codes-file.js';
import { type DtcCode, dtcText, parseDtc } from '../../daemon/vehicles/dtc/dtc-code.js';
import { codeFiles, explainCode, knownCode } from '../../daemon/vehicles/dtc/dtc-knowledge.js';
import { statusBitsOf } from '../../daemon/vehicles/dtc/dtc-status.js';
import { structureOf } from '../../daemon/vehicles/dtc/dtc-structure.js';
import { vssCatalogue } from '../../daemon/vehicles/vss/catalogue.js';
import { drivemcp as cli } from '../helpers/command.js';

const files = Object.values(codeFiles).flat();
const entries = files.flatMap((file) => readCodesFile(file).map(([code, known]) => ({ file, code, known })));
const obd = (text: string): string => dtcText(parseDtc(text));
const refused = (text: string): boolean => {
  try {
    parseDtc(text);
    return false;
  } catch {
    return true;
  }
};

t.test('every entry is whole and in plain words', async (t) => {
  t.ok(entries.length >= 300, `${entries.length} codes`);
  t.equal(new Set(entries.map(({ code }) => code)).size, entries.length, 'no code stands twice');
  const texts = readAdvice();
  const used = new Set<string>();
  for (const { file, code, known } of entries) {
    const where = `${file}: ${code}`;
    const [en, de] = known.title;
    t.ok(
      en.length >= 8 && en.length <= 75 && de.length >= 8 && de.length <= 75,
      `${where} length: ${en} / ${de}`,
    );
    t.ok(texts[known.advice] !== undefined, `${where} has advice`);
    t.ok(code[0] !== undefined && codeFiles[code[0]]?.includes(file), `${where} is found by its letter`);
    t.equal(structureOf(code).definedBy, 'standard', `${where} is no maker's own code`);
    t.notMatch(`${en} ${de}`, /circuit malfunction|range\/performance|bank 1 sensor 1|\bHO2S\b/i, where);
    if (known.vss !== '') t.ok(vssCatalogue.has(known.vss), `${where}: ${known.vss}`);
    used.add(known.advice);
  }
  for (const { advice } of Object.values(readJ1939Parameters())) used.add(advice);
  for (const key of [
    'unknown_engine',
    'unknown_safety',
    'network',
    'no_code',
    'sensor_of_vital',
    'early_warning',
  ])
    used.add(key);
  t.same(
    Object.keys(texts).filter((key) => !used.has(key)),
    [],
    'no advice without a code',
  );
  for (const [key, { en, de }] of Object.entries(texts)) {
    t.ok(en.length <= 160 && de.length <= 170, `${key}: ${en.length}, ${de.length}`);
    t.match(en, /\.$/, key);
    t.match(de, /\.$/, key);
  }
  const letters = Object.values(readJ1939Parameters());
  t.ok(letters.every(({ vss }) => vss === undefined || vssCatalogue.has(vss)));
  const named = new Set([...files, 'advice', 'faults', 'failure-types', 'j1939', 'j1939-failures']);
  const found = readdirSync(packageFile('daemon', 'vehicles', 'dtc', 'codes')).map((name) =>
    name.replace('.yaml', ''),
  );
  t.same(found.sort(), [...named].sort(), 'no file is forgotten');
  t.ok(Object.keys(readPhrases('failure-types')).length >= 79);
});

t.test('severe codes are not called harmless', async (t) => {
  const urgency = (code: string) => knownCode(code)?.urgency;
  for (const code of ['P0217', 'P0524', 'P0093', 'P0A7E', 'P0AA6', 'C0049'])
    t.equal(urgency(code), 'stop', code);
  for (const code of ['P0300', 'P0335', 'P0562', 'U0121', 'U0131', 'B0001', 'C0031', 'P0A80']) {
    t.equal(urgency(code), 'soon', code);
  }
  for (const code of ['P0420', 'P0442', 'P0457']) t.equal(urgency(code), 'check', code);
  for (const { code, known } of entries) {
    if (/^[CB]0/.test(code) || known.advice === 'abs') t.not(known.urgency, 'info', code);
  }
});

t.test('facts that are easily confused', async (t) => {
  const title = (code: string) => knownCode(code)?.title[0];
  t.match(title('P0117'), /Coolant temperature sensor: signal too low/);
  t.match(title('P0118'), /too high/);
  t.match(title('P0171'), /lean on bank 1/);
  t.match(title('P0175'), /rich on bank 2/);
  t.match(title('P0306'), /cylinder 6/);
  t.match(title('P0353'), /coil number 3/);
  t.match(title('P0442'), /Small leak/);
  t.match(title('P0455'), /Large leak/);
  t.match(title('P0741'), /Converter clutch: does not switch on/);
  t.match(title('P0742'), /does not switch off/);
  t.match(title('P0AA1'), /plus stuck closed/);
  t.match(title('U0100'), /No messages from the engine unit/);
  t.match(title('U0415'), /Wrong data from the ABS unit/);
});

t.test('spellings of a code', async (t) => {
  for (const [text, expected] of [
    ['P0A80', 'P0A80'],
    ['p0a80', 'P0A80'],
    [' P0A80 ', 'P0A80'],
    ['P0A80-1C', 'P0A80-1C'],
    ['p0a80 1c', 'P0A80-1C'],
    ['P0A801C', 'P0A80-1C'],
    ['U0100:87', 'U0100-87'],
    ['U0100-00', 'U0100-00'],
    ['0A80', 'P0A80'],
    ['0x0A80', 'P0A80'],
    ['0A801C', 'P0A80-1C'],
    ['0xC10087', 'U0100-87'],
    ['C10087', 'U0100-87'],
    ['C0350', 'C0350'],
    ['C035', 'U0035'],
    ['B3FFF', 'B3FFF'],
    ['0000', 'P0000'],
    ['SPN 100 FMI 3', 'SPN 100 FMI 3'],
    ['spn:100,fmi:3', 'SPN 100 FMI 3'],
    ['100/3', 'SPN 100 FMI 3'],
    ['524287/31', 'SPN 524287 FMI 31'],
  ] as const) {
    t.equal(obd(text), expected, text);
  }
  for (const text of [
    ...[
      '',
      'P',
      'P0A8',
      'P4000',
      'X0100',
      'P0G00',
      'P0A80-1',
      'P0A80-1C2',
      '0A8',
      '0A801',
      '524288/3',
      '100/32',
    ],
    ...['P0A80-', '100/', '-1/3', 'P0A80\nP0A81', '１００/3'],
  ]) {
    t.ok(refused(text), JSON.stringify(text));
  }
  try {
    parseDtc('PO3O1');
    t.fail('letters O');
  } catch (error) {
    t.match(String((error as { hint?: string }).hint), /P0301/);
  }
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 0xffff }),
      fc.option(fc.integer({ min: 0, max: 255 })),
      (bits, ftb) => {
        const code: DtcCode = { kind: 'obd', code: codeOf(bits), ftb };
        t.same(parseDtc(dtcText(code)), code);
        t.same(parseDtc(dtcText(code).toLowerCase()), code);
      },
    ),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (!refused(text)) t.match(obd(text), /^(?:[PCBU][0-3][0-9A-F]{3}(?:-[0-9A-F]{2})?|SPN \d+ FMI \d+)$/);
    }),
  );
});

t.test('codes that no table holds', async (t) => {
  const told = (text: string) => explainCode(parseDtc(text), 'en');
  t.match(told('P1234'), { certainty: 'structure', note: /nobody but the maker/ });
  t.match(told('P3000').note, /maker/);
  t.match(told('P3400').note, /not in our table/);
  t.match(told('C1234').advice, /brakes/);
  t.match(told('B1000').system, /restraints/);
  t.match(told('U1000').note, /maker/);
  t.match(told('P0398'), { system: 'ignition', note: /not in our table/ });
  t.match(told('P0C00').system, /hybrid/);
  t.match(told('U0100-87').failure, /message missing/);
  t.match(told('U0100-F3').failure, /maker/);
  t.match(told('U0100-C1').failure, /not in our table/);
  t.equal(told('U0100-00').failure, '');
  t.match(told('C0035').certainty, /varies/);
  t.match(told('110/3'), { urgency: 'soon', advice: /sensor or its wiring/ }, 'no call to stop for a wire');
  t.match(told('110/15'), { urgency: 'soon', advice: /near its limit/ });
  for (const none of ['P0000', '0000', 'P0000-00', '0/0']) {
    t.match(told(none), { urgency: 'info', title: /No code/ }, `${none} is filler, no fault`);
  }
  t.match(told('110/0'), { urgency: 'stop', title: 'Coolant temperature: far too high' });
  t.match(told('110/3'), { urgency: 'soon' }, 'a broken sensor is not a hot engine');
  t.match(told('110/15'), { urgency: 'soon' }, 'least severe');
  t.match(told('4000/2'), { certainty: 'structure', title: /Parameter 4000/ });
  t.match(told('520192/2').note, /maker|not in our table/);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom('en' as const, 'de' as const),
      (bits, language) => {
        const { title, systemName, advice, note } = explainCode(
          { kind: 'obd', code: codeOf(bits), ftb: null },
          language,
        );
        for (const text of [title, systemName, advice, note]) t.ok(text.length > 3);
      },
    ),
  );
});

t.test('status bits', async (t) => {
  t.same(statusBitsOf(0x89), ['failing_now', 'confirmed', 'warning_lamp']);
  t.same(
    statusBitsOf(0x89, 0x7f),
    ['failing_now', 'confirmed'],
    'what the unit does not support says nothing',
  );
  t.same(statusBitsOf(0), []);
});

t.test('the command', async (t) => {
  const shown = await cli(['dtc', 'explain', 'P0301', 'u0100:87', '--lang', 'de', '--json']);
  t.equal(shown.code, 0);
  const lines = shown.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  t.match(lines[0], { code: 'P0301', title: 'Zündaussetzer Zylinder 1', severity_class: 'soon', lang: 'de' });
  t.match(lines[1], { code: 'U0100', ftb: '87', failure: 'Botschaft fehlt' });
  const text = await cli(['dtc', 'explain', 'P0217', '--status', '2f', '--mask', '0x7F']);
  t.match(text.stdout, /P0217 {2}Engine too hot[\s\S]*stop where it is safe[\s\S]*failing \(failing now/);
  for (const [args, code] of [
    [['dtc', 'explain'], 2],
    [['dtc', 'explain', 'P0301', 'NOPE', '--json'], 2],
    [['dtc', 'explain', 'P0301', '--status', 'XYZ'], 2],
    [['dtc', 'explain', 'P0301', '--lang', 'fr'], 2],
  ] as const) {
    const result = await cli([...args]);
    t.equal(result.code, code, args.join(' '));
    t.equal(result.stdout, '', 'nothing is shown before all is understood');
  }
});
