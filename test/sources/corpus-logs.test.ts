/** Recordings of real cars and the format samples of a widely used library: what is in them is known. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { corpusFile, corpusMissing } from '../helpers/paths.js';
import { collectFrames, type Frame } from './collect-frames.js';

const manifest = corpusFile('can', 'MANIFEST.md');
const skip = manifest === null ? corpusMissing : false;
const logs = manifest === null ? '' : join(manifest, '..', 'logs');
const formats = manifest === null ? '' : join(manifest, '..', 'formats');

t.test('recordings hold as many frames as their manifest says', { skip }, async (t) => {
  const rows = readFileSync(manifest ?? '', 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => /\.(log|trc|csv|MF4)$/.test(cells[1] ?? '') && existsSync(join(logs, cells[1]!)));
  t.ok(rows.length >= 20, `${rows.length} recordings`);
  for (const cells of rows) {
    const [name = '', frameCount, idCount, extCount, spanS] = [1, 6, 7, 8, 9].map((column) => cells[column]);
    const { frames, source } = await collectFrames(join(logs, name));
    t.equal(frames.length, Number(frameCount), name);
    t.equal(new Set(frames.map((frame) => frame.id)).size, Number(idCount), `${name} identifiers`);
    t.equal(frames.filter((frame) => frame.flags.includes('ext')).length, Number(extCount), `${name} 29 bit`);
    const times = frames.map((frame) => frame.t);
    const span =
      times.reduce((a, b) => Math.max(a, b), 0) - times.reduce((a, b) => Math.min(a, b), times[0]!);
    if (spanS !== '') t.ok(Math.abs(span - Number(spanS)) < 0.01, `${name} ${span} s`);
    t.equal(source.damaged, name.includes('truncated') ? 1 : 0, `${name} damage`);
    t.equal(source.diagnosticsByCode.get('time_backwards'), name.includes('backwards') ? 19 : undefined);
  }
});

t.test('MDF 4 originals and their text conversions are the same, frame by frame', { skip }, async (t) => {
  const originals = readdirSync(logs).filter((name) => name.endsWith('.MF4'));
  t.equal(originals.length, 3);
  for (const name of originals) {
    const original = await collectFrames(join(logs, name));
    const text = await collectFrames(join(logs, name.replace('.MF4', '.log')));
    const comparable = (frames: readonly Frame[]) =>
      frames.map(
        (f) =>
          `${f.t} ${f.bus.replace('can', '')} ${f.id}#${f.data} ${f.flags.replace(' tx', '').replace('tx', '')}`,
      );
    t.ok(original.source.hasAbsoluteTime);
    t.same(comparable(original.frames), comparable(text.frames), name);
  }
});

/** `id#data flags` of each frame of a sample. */
async function sample(name: string): Promise<string[]> {
  const { frames, source } = await collectFrames(join(formats, name));
  t.equal(source.damaged, 0, name);
  return frames.map((f) => `${f.id}#${f.data}${f.flags === '' ? '' : ` ${f.flags}`}`);
}

t.test('ASC samples', { skip }, async (t) => {
  t.equal((await sample('issue_1256.asc')).length, 1457);
  t.same(await sample('issue_1299.asc'), [
    '180#6a00000000000000 tx',
    '221#c24a058100001510 tx',
    '3FF#55aa010203040506 tx',
    '0F4#8a1a0df213000007 tx',
  ]);
  const errorFrames = await sample('logfile_errorframes.asc');
  t.equal(errorFrames.length, 12);
  t.same(errorFrames.slice(0, 7), [
    '000# error',
    '000# error',
    '000# error',
    '200# remote tx',
    '300# remote tx',
    '18EBFF00#01a00fa6603bd140 ext',
    '18EBFF00#03e1004bffff3c0f ext',
  ]);
  t.equal((await sample('logfile.asc')).length, 20);
  const bytes = Array.from({ length: 64 }, (_, i) => i.toString(16).padStart(2, '0')).join('');
  t.same(await sample('single_frame.asc'), [`00000123#${bytes} ext fd`]);
  t.same(await sample('single_frame_us_locale.asc'), ['00000123#68 ext']);
  t.same(await sample('test_CanErrorFrames.asc'), [
    '000# error',
    '000# error',
    '000# error',
    '000# fd error tx',
  ]);
  t.same(await sample('test_CanFdMessage.asc'), [
    '300#11c2030405060708 fd brs',
    '1C4D80A7#12c2030405060708 ext fd esi tx',
    '30A#0102030405060708 fd brs esi',
  ]);
  t.same(await sample('test_CanFdMessage64.asc'), [
    `4EE#a1020304${'00'.repeat(59)}64 fd esi`,
    `1C4D80A7#b1020304${'00'.repeat(59)}64 ext fd brs`,
  ]);
  t.same(await sample('test_CanFdRemoteMessage.asc'), ['00050005# ext fd esi remote tx']);
  for (const name of ['test_CanMessage.asc', 'test_CanMessage.asc.gz', 'test_CanMessage.trc']) {
    t.same(await sample(name), ['0C8#0908070605040302 tx', '6F9#050c000000000000'], name);
  }
  t.same(await sample('test_CanRemoteMessage.asc'), ['100# remote', '200# remote tx', '300# remote']);
});

t.test('PCAN trace samples hold the same frames in every version', { skip }, async (t) => {
  const names = readdirSync(formats).filter((name) => /_V\d_\d.*\.trc$/.test(name));
  t.equal(names.length, 5);
  const times: number[][] = [];
  for (const name of names) {
    const hasDirection = !name.includes('V1_0');
    const tx = hasDirection ? ' tx' : '';
    const first = [100, 100, 100, 0, 0, 0, 100, 100, 100, 100].map((id) =>
      id === 0 ? `000#${'00'.repeat(8)}${tx}` : `00000100#${'00'.repeat(8)} ext${tx}`,
    );
    t.same(await sample(name), [...first, '704# remote'], name);
    const { frames } = await collectFrames(join(formats, name));
    times.push(frames.map((frame) => Math.floor(frame.t * 1000 + 1e-6)));
  }
  for (const other of times) t.same(other, times[0]);
});

t.test('BLF samples', { skip }, async (t) => {
  t.same(await sample('test_CanMessage.blf'), ['4444444#5566778899aabbcc', '4444444#5566778899aabbcc']);
  t.same(await sample('test_CanMessage2.blf'), ['4444444#5566778899aabbcc', '4444444#5566778899aabbcc']);
  const bytes = Array.from({ length: 64 }, (_, i) => i.toString(16).padStart(2, '0')).join('');
  t.same(await sample('test_CanFdMessage.blf'), [
    `4444444#${bytes} fd brs esi`,
    `4444444#${bytes} fd brs esi`,
  ]);
  t.same(await sample('test_CanFdMessage64.blf'), Array(2).fill('15555555# fd brs esi remote tx'));
  t.same(await sample('test_CanErrorFrameExt.blf'), Array(2).fill('19999999#ccddeeff11223344 ext error'));
  const stored = await sample('issue_1905.blf');
  t.equal(stored.length, 22);
  t.equal(stored[0], `6A9#${'ff'.repeat(48)}${'00'.repeat(16)} fd brs`);
});
