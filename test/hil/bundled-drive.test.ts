/** The drive that comes with the package: reproducible, readable, and what the run makes of it. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { bundledDrive } from '../../daemon/cli/bundled-drive.js';
import { readRecording } from '../../daemon/record/recording-reader.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { driveOf, openInput } from '../../daemon/sources/drive/open-drive.js';
import { readDbcFile } from '../../daemon/vehicles/profile/dbc-set.js';
import { loadProfile } from '../../daemon/vehicles/profile/load-profile.js';
import { borderRainBraking } from '../../hil/scenarios/border-rain-braking.js';
import { simulate, type Truth } from '../../hil/sim/simulator.js';
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

test('hil: scenarios are listed, unusable options are refused with what is known', async (t) => {
  const listed = await drivemcp(['hil', 'scenarios', '--json']);
  t.equal(listed.code, 0);
  const [first] = listed.objects() as { id: string; story: unknown[] }[];
  t.equal(first?.id, borderRainBraking.id);
  t.equal(first?.story.length, borderRainBraking.story.length);
  const refused = (...args: string[]) => drivemcp(['hil', 'record-drive', ...args]);
  for (const [args, says] of [
    [['--scenario', 'x'], /no scenario 'x'.*\n.*border-rain-braking/],
    [['--seed', '-1'], /--seed/],
    [['--seed', '1e9'], /--seed takes a whole number/],
    [['--out', ''], /--out needs the name/],
    [['--bundled', '--out', 'x'], /--bundled goes without/],
    [['--decision-hash', 'abc', '--bundled'], /64 lower-case/],
    [['--decision-hash', '0'.repeat(64)], /goes with --bundled/],
  ] as const) {
    const { code, stdout, stderr } = await refused(...args);
    t.equal(code, 2, args.join(' '));
    t.equal(stdout, '');
    t.match(stderr, says);
  }
  for (const out of ['/dev/null/x.drive', tmpdir()]) {
    const { code, stderr } = await refused('--out', out);
    t.equal(code, 69, out);
    t.match(stderr, /cannot write the drive: .*RECORDING_FAILED/);
    t.notMatch(stderr, /unexpected/);
  }
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

interface Decided {
  readonly t: number;
  readonly decision: string;
  readonly utterance: { readonly key: string; readonly urgent: boolean; readonly l1: string } | null;
}

/** What was really so at a time, from the simulator that made the drive. */
function truthAt(tS: number): Truth {
  const dbc = readDbcFile(packageFile('daemon', 'vehicles', 'profiles', 'sim-car', 'sim-car.dbc'));
  let found: Truth | undefined;
  simulate(borderRainBraking, dbc.database, {
    frame: () => {},
    fact: () => {},
    truth: (truth) => {
      if (truth.tUs <= tS * 1e6) found = { ...truth, plant: { ...truth.plant } };
    },
  });
  if (found === undefined) throw new RangeError(`no truth at ${tS} s`);
  return found;
}

test('played without arguments it tells its story: each event where the scenario says, one ACT, no other', async (t) => {
  const state = mkdtempSync(join(tmpdir(), 'drivemcp-'));
  t.teardown(() => rmSync(state, { recursive: true, force: true }));
  const run = await drivemcp(['run', '--state', state, '--json']);
  t.equal(run.code, 0, run.stderr);
  const decided = run.objects().filter((object) => 'decision' in object) as unknown as Decided[];
  const { summary } = run.objects().at(-1) as { summary: Record<string, unknown> };

  const exported = await drivemcp(['audit', 'export', '--state', state]);
  const events: { tS: number; type: string }[] = [];
  for (const record of exported.objects()) {
    const { events: fired } = record['body'] as { events?: { type: string; payload: { from?: unknown } }[] };
    const tS = (Number(record['tick']) * Number(summary['period_ms'])) / 1000;
    for (const { type, payload } of fired ?? []) {
      // The first country is no border; a road whose limit is being asked for is no story.
      if (type === 'uncertain_limit' || (type === 'jurisdiction_change' && payload.from === null)) continue;
      events.push({ tS, type });
    }
  }
  const acts = decided.filter(({ decision }) => decision === 'act').map((object) => object.t);
  const [firstAct = Number.NaN] = acts;
  events.push({ tS: firstAct, type: 'act' });

  for (const { event, onsetS } of borderRainBraking.story) {
    const index = events.findIndex(({ tS, type }) => type === event && Math.abs(tS - onsetS) <= 1.5);
    t.ok(index >= 0, `${event} at ${onsetS} s`);
    if (index >= 0) events.splice(index, 1);
  }
  t.same(events, [], 'nothing else happened');

  // One intervention, for less than its longest duration, while the road really was too short.
  t.ok(
    acts.every((tS) => tS - firstAct <= 1),
    `ACT from ${firstAct} s to ${acts.at(-1)} s`,
  );
  const { lead, mu, plant } = truthAt(firstAct);
  const stoppingM = plant.vMps * 0.7 + (plant.vMps * plant.vMps) / (2 * mu * 9.81) + 2;
  t.ok(lead !== null && lead.gapM < stoppingM, `gap ${lead?.gapM} m, needed ${stoppingM} m`);
  t.equal(plant.brakePedal, 0, 'the driver had not braked');

  const spoken = decided.flatMap(({ t: tS, utterance }) =>
    utterance === null ? [] : [{ tS, ...utterance }],
  );
  const words = spoken.map(({ l1 }) => l1);
  for (const expected of [
    /70 km\/h/,
    /variable limit: 120 km\/h/,
    /variable limit: 80 km\/h/,
    /variable limit: 60 km\/h/,
    /Great Britain.*left.*70 mph/,
    /[Ss]lippery.*limit 70.*\b(40|45|50) mph/,
    /ABS/,
    /Brake!/,
  ]) {
    t.equal(words.filter((line) => expected.test(line)).length, 1, String(expected));
  }
  const calm = spoken.filter(({ urgent }) => !urgent);
  for (const [index, { tS }] of calm.entries()) {
    const before = calm[index - 1];
    if (before !== undefined && tS - before.tS < 2.5) t.fail(`two utterances at ${before.tS} and ${tS} s`);
  }
  t.match(summary, { simulated: true, ticks: 3301, missed_ticks: 0 });
  t.equal(
    summary['decision_hash'],
    pin.decision_hash,
    `a change that is meant to change decisions pins them again, in a commit that says why: drivemcp hil record-drive --bundled --decision-hash ${summary['decision_hash']}`,
  );
});
