/** Replay from the raw frames on: the same signals on every tick, or the first tick that differs; gaps are said. */
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { FrameBatch } from '../../daemon/core/can/frame-batch.js';
import type { TickInputs } from '../../daemon/core/tick.js';
import { readRecording } from '../../daemon/record/recording-reader.js';
import { RecordingWriter } from '../../daemon/record/recording-writer.js';
import { drivemcp } from '../helpers/command.js';
import { summaryOf, tiny, tinyFiles } from './tiny-drive.js';

interface FramesObject {
  readonly frames: number;
  readonly ticks_compared: number;
  readonly equal: boolean;
  readonly first_difference: { readonly tick: number; readonly path: string } | null;
  readonly void_after_tick: number | null;
}

type Result = Awaited<ReturnType<typeof drivemcp>>;
const framesOf = (result: Result): FramesObject =>
  (summaryOf(result) as unknown as { frames: FramesObject }).frames;

/** A car whose speed and brake change, so that a lost or changed frame shows. */
const files = () => tinyFiles({ seconds: 4, kmh: (tS) => 50 + 10 * Math.sin(3 * tS) });

t.test('frames of a log decode again to the recorded signals of every tick', async (t) => {
  const { state, drive, at } = tiny(t, files());
  const run = await drivemcp(['run', ...drive, ...state, '--record-frames', '--json']);
  t.equal(run.code, 0, run.stderr);
  const replayed = await drivemcp(['replay', ...state, '--frames', '--json']);
  t.equal(replayed.code, 0, replayed.stderr);
  const { frames, ticks_compared, equal } = framesOf(replayed);
  t.equal(frames, 200);
  t.equal(ticks_compared, summaryOf(run).ticks);
  t.equal(equal, true);
  t.equal(summaryOf(replayed).decision_hash, summaryOf(run).decision_hash);

  await t.test('but not with another DBC', async (t) => {
    appendFileSync(at('tiny.dbc'), 'CM_ "changed";\n');
    const other = await drivemcp(['replay', ...state, '--frames']);
    t.equal(other.code, 78);
    t.match(other.stderr, 'PROFILE_DBC_MISMATCH');
    t.equal((await drivemcp(['replay', ...state])).code, 0, 'decisions do not need it');
    const gone = await drivemcp(['replay', ...state, '--frames', '--dbc', at('nowhere.dbc')]);
    t.equal(gone.code, 69);
  });
});

t.test('a run without recorded frames says so', async (t) => {
  const { state, drive } = tiny(t);
  await drivemcp(['run', ...drive, ...state]);
  const replayed = await drivemcp(['replay', ...state, '--frames']);
  t.equal(replayed.code, 78);
  t.match(replayed.stderr, '--record-frames');
});

t.test(
  'changed frames: the first tick that differs is named; lost frames: nothing after them counts',
  async (t) => {
    const { state, drive, at } = tiny(t, files());
    await drivemcp(['run', ...drive, ...state, '--record-frames']);
    const folder = join(at('state'), 'recordings');
    const source = join(folder, readdirSync(folder)[0]!);

    const changed = at('changed.drec');
    await copy(source, changed, (batch, tUs) => {
      if (tUs[0]! > 2_000_000 && tUs[0]! < 2_050_000) batch.data[(batch.count - 1) * 64]! ^= 1;
      return batch;
    });
    const differs = await drivemcp(['replay', changed, '--frames', '--json']);
    t.equal(differs.code, 1);
    t.match(differs.stderr, 'REPLAY_DIFFERS');
    t.match(framesOf(differs).first_difference, { tick: 41, path: 'Vehicle.Speed' });

    const lossy = at('lossy.drec');
    await copy(source, lossy, (batch, tUs) => (tUs[0]! > 1_000_000 && tUs[0]! < 1_040_000 ? null : batch));
    const gap = await drivemcp(['replay', lossy, '--frames', '--json']);
    t.equal(gap.code, 1, gap.stderr);
    t.match(framesOf(gap), { first_difference: null, equal: false, void_after_tick: 20 });
    t.equal(
      (await drivemcp(['replay', lossy])).code,
      0,
      'the inputs are whole: decisions are compared to the end',
    );
  },
);

t.test('a state that the frames do not bear out is named with its tick', async (t) => {
  const { state, drive, at } = tiny(t, files());
  await drivemcp(['run', ...drive, ...state, '--record-frames']);
  const folder = join(at('state'), 'recordings');
  const source = join(folder, readdirSync(folder)[0]!);
  const forged = at('forged.drec');
  await copy(
    source,
    forged,
    (batch) => batch,
    (inputs) => {
      if (inputs.tick !== 30) return inputs;
      t.ok(inputs.sources.some(({ kind, required }) => kind === 'can' && required));
      return {
        ...inputs,
        sources: inputs.sources.map((one) => (one.required ? { ...one, state: 'stale' as const } : one)),
      };
    },
  );
  const differs = await drivemcp(['replay', forged, '--frames', '--json']);
  t.equal(differs.code, 1);
  t.match(framesOf(differs).first_difference, {
    tick: 30,
    recorded: { state: 'stale' },
    rebuilt: { state: 'fresh' },
  });
});

/** Copies a recording; what `change` does not give back is lost as it is where the recorder cannot keep up. */
async function copy(
  from: string,
  to: string,
  change: (batch: FrameBatch, tUs: Float64Array) => FrameBatch | null,
  changeInputs: (inputs: TickInputs) => TickInputs = (inputs) => inputs,
): Promise<void> {
  const recording = await readRecording(from);
  const tape = await RecordingWriter.open(to, recording.header, {
    maxBufferedBytes: 40_000,
    chunkBytes: 4096,
  });
  for await (const record of recording.records()) {
    if (record.type === 'inputs') tape.inputs(changeInputs(record.inputs));
    else if (record.type === 'decision') tape.decision(record.tick, Buffer.from(record.hash, 'hex'));
    else if (record.type === 'frames') {
      const batch = change(record.frames.batch, record.frames.tUs);
      if (batch) tape.frames(batch, record.frames.tUs);
      else {
        const tooLarge = new FrameBatch(4096);
        tooLarge.count = 4096;
        tape.frames(tooLarge, new Float64Array(4096));
      }
    } else if (record.type === 'end') {
      await tape.end(record.summary);
      break;
    }
    await tape.flush();
  }
  await recording.close();
}
