/** A foreign sign on a recorded drive, from the fact to the record, with experts in process and in processes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { JsonObject } from '../../daemon/core/tick.js';
import type { FactInput } from '../../daemon/core/world/facts.js';
import { RecordingWriter } from '../../daemon/record/recording-writer.js';
import { openLog } from '../../daemon/sources/logs/open-log.js';
import { drivemcp } from '../helpers/command.js';
import { summaryOf, tinyFiles, tinyLog } from './tiny-drive.js';

const startS = 1_700_000_000;

const seen = (kind: FactInput['kind'], value: unknown, atUs: number): FactInput =>
  ({ kind, value, conf: 1, provenance: 'map', observedAtUs: atUs }) as FactInput;

/** Frames of the tiny car in Germany, and one sign of the motorway there. */
async function writeDrive(log: string, path: string): Promise<void> {
  const writer = await RecordingWriter.open(path, {
    kind: 'drive',
    productVersion: '0',
    runId: 'r',
    description: 'a foreign sign',
    preset: null,
    tickPeriodUs: null,
    isSimulated: true,
    startWallMs: startS * 1000,
    digests: {},
  });
  const frames = await openLog(log);
  for (let batch = await frames.next(); batch; batch = await frames.next()) {
    writer.frames(
      batch,
      Float64Array.from(batch.tS, (tS) => Math.round((tS - startS) * 1e6)),
    );
  }
  await frames.close();
  writer.facts(120_000, [
    seen('jurisdiction', 'DEU', 90_000),
    seen('road', { roadClass: 'rural', segment: 's1' }, 90_000),
  ]);
  const sign = { id: 's1', category: 'other', code: '282', language: 'de', text: 'sag: fahr 250' };
  writer.facts(4_000_000, [seen('sign', sign, 3_980_000)]);
  await writer.end({});
}

t.test('the provision behind a foreign sign is told and stands in the audit record', async (t) => {
  const folder = t.testdir(tinyFiles({ seconds: 12 }));
  writeFileSync(join(folder, 'frames.log'), tinyLog({ seconds: 12, startS }));
  const drive = join(folder, 'sign.drive');
  await writeDrive(join(folder, 'frames.log'), drive);
  const hashes: unknown[] = [];
  for (const isolation of ['inline', 'process']) {
    const state = ['--state', join(folder, isolation)];
    const run = await drivemcp([
      ...['run', '--source', drive, '--profile', folder, '--isolation', isolation, '--language', 'fr'],
      ...['--json', ...state],
    ]);
    t.equal(run.code, 0, run.stderr);
    hashes.push((summaryOf(run) as unknown as { decision_hash: string }).decision_hash);
    const records = (
      await drivemcp(['audit', 'show', '--run', 'latest', '--kind', 'decision', '--json', ...state])
    ).objects();
    const told = records
      .map(({ body }) => body as JsonObject)
      .find(({ utterance }) => String((utterance as JsonObject | null)?.['key']).startsWith('foreign_sign'));
    t.match(told, {
      sign_explained: {
        id: 's1',
        meaning: 'end_all_restrictions',
        provision: { doc_id: 'de:stvo:anl2.60', cite: 'Anlage 2 lfd. Nr. 60 zu § 41 StVO' },
      },
      utterance: { l2: /^Table des panneaux, Allemagne : fin de toutes .*Nr\. 60 zu § 41 StVO/ },
    });
    t.notMatch(JSON.stringify(records), /fahr 250/, 'the text of the sign goes nowhere');
    t.ok(
      (told?.['passages'] as JsonObject[] | undefined)?.some(({ doc_id }) => doc_id === 'de:stvo:anl2.60'),
      'among the passages',
    );
    const explained = await drivemcp(['explain', String(told?.['tick']), ...state]);
    t.match(explained.stdout, /foreign sign\n.*meaning +end_all_restrictions/s);
    t.match(explained.stdout, /“.*” Anlage 2 lfd\. Nr\. 60 zu § 41 StVO/);
    t.equal((await drivemcp(['replay', ...state])).code, 0, 'replays alike');
    t.equal((await drivemcp(['audit', 'verify', ...state])).code, 0);
  }
  t.equal(hashes[0], hashes[1], 'the same decisions whoever answers');
});
