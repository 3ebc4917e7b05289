/**
 * The reader and the executor against the external corpus: 128 public DBC files as another reader understood
 * them, some 90,000 decoded values, and 61 small edge cases. Values are compared with ===.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import { parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';
import { type MessageModel, modelDifferences } from './dbc-model.js';
import { type Vector, vectorDifferences } from './decoded-form.js';

interface VectorFile {
  file: string;
  messages?: MessageModel[];
  vectors?: Vector[];
  note: string | null;
}

for (const [folder, sources] of [
  ['dbc', 'dbc_src'],
  ['cantools_dbc', 'cantools_dbc_src'],
] as const) {
  const root = corpusFile('can', 'vectors', folder);
  t.test(`vectors of ${folder}`, { skip: root === null ? corpusMissing : false }, async (t) => {
    let values = 0;
    for (const name of readdirSync(root!)) {
      if (name === 'index.json') continue;
      const file = JSON.parse(readFileSync(join(root!, name), 'utf8')) as VectorFile;
      const source = corpusFile('can', sources, file.file);
      if (source === null) continue;
      const { database } = parseDbc(readFileSync(source), basename(source));
      await t.test(file.file, async (t) => {
        if (file.messages)
          t.same(modelDifferences(database.messages, file.messages).slice(0, 5), [], 'model');
        const result = vectorDifferences(compilePlan([database]), file.vectors ?? []);
        t.same(result.wrong.slice(0, 5), [], `${result.values} values`);
        values += result.values;
      });
    }
    t.ok(values > 1000, `${values} values compared`);
  });
}
