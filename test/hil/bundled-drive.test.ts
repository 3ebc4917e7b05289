/** The drive that comes with the package: reproducible, readable, and what the run makes of it. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { bundledDrive } from '../../daemon/cli/bundled-drive.js';
import { readRecording } from '../../daemon/record/recording-reader.js';
import { driveOf, openInput } from '../../daemon/sources/drive/open-drive.js';
import { loadProfile } from '../../daemon/vehicles/profile/load-profile.js';
import { drivemcp } from '../helpers/command.js';

const { path, pin } = bundledDrive();

/** Everything a drive holds, apart from how it is packed. */
async function contentDigest(file: string): Promise<string> {
  const recording = await readRecording(file);
  const hash = createHash('sha256').update(JSON.stringify(recording.header));
  for await (const record of recording.records()) {
    if (record.type !== 'frames') hash.update(JSON.stringify(record));
    else {
      const { batch, tUs } = record.frames;
      for (let i = 0; i < batch.count; i++) hash.update(`${tUs[i]} ${batch.id[i]} `).update(batch.payload(i));
    }
  }
  await recording.close();
  return hash.digest('hex');
}

test('the bundled drive is the one that is pinned, small, and made again from its scenario', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'drivemcp-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const bytes = readFileSync(path);
  t.equal(createHash('sha256').update(bytes).digest('hex'), pin.sha256);
  t.ok(bytes.length < 2 * 1024 * 1024, `${bytes.length} bytes`);

  const again = join(folder, 'again.drive');
  const { code, objects } = await drivemcp(['hil', 'record-drive', '--out', again, '--json']);
  t.equal(code, 0);
  const [made] = objects();
  t.equal(await contentDigest(again), await contentDigest(path));
  // Another compression library may pack the same records into other bytes.
  if (process.versions.zlib === pin.zlib) t.equal(made?.['sha256'], pin.sha256);
});

test('every frame of it is sound to the profile, and every mapped signal arrives', async (t) => {
  const { profile } = await loadProfile({ profile: pin.profile, dbcFiles: [] });
  const drive = driveOf(await openInput(path), profile);
  t.equal(drive.isSimulated, true);
  const seen = new Set<string>();
  const invalid = new Set<string>();
  const kinds = new Set<string>();
  for (let tUs = 0; await drive.advance(tUs); tUs += 50_000) {
    for (const sample of drive.drainSignals()) {
      seen.add(sample.path);
      if (sample.value === null) invalid.add(sample.path);
    }
    for (const fact of drive.drainFacts()) {
      kinds.add(fact.kind);
      if (fact.provenance === 'sim_oracle') t.fail(`truth leaked: ${fact.kind}`);
    }
  }
  await drive.close();
  t.same(profile.drainFaults(), []);
  t.same([...invalid], []);
  t.same([...seen].sort(), [...profile.paths].sort());
  t.same([...kinds].sort(), [
    'actors',
    'drive_side',
    'gantry',
    'jurisdiction',
    'road',
    'sign',
    'units',
    'weather',
  ]);
  t.equal(drive.diagnosticCount, 0);
});
