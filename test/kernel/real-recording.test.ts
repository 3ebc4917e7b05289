/**
 * A recording of a real car, played onto a virtual bus at its own pace: the built daemon decides from it with the
 * car's profile, gets every frame that the profile wants, unchanged and in order, and replays to the same decisions.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { FRAME_EXT } from '../../daemon/core/can/frame-batch.js';
import { readRecording } from '../../daemon/record/recording-reader.js';
import { findRecording } from '../../daemon/runtime/find-recording.js';
import { openLog } from '../../daemon/sources/logs/open-log.js';
import { loadProfile } from '../../daemon/vehicles/profile/load-profile.js';
import { drivemcp } from '../helpers/command.js';
import { corpusFile, corpusMissing, drivemcpScript } from '../helpers/paths.js';
import { framesOf } from '../vehicles/frames-of.js';
import { addVcan, ip, kernelSkip } from './bus.js';
import { framesOfDrive, play, type WireFrame } from './play-drive.js';

const log = corpusFile('can', 'logs', 'ford_gt350_modes_engine_on.log');
const dbc = corpusFile('can', 'dbc', 'ford_lincoln_base_pt.dbc');
const skip = kernelSkip() || (log === null || dbc === null ? corpusMissing : false);
const seconds = 6;

async function framesOfLog(path: string): Promise<WireFrame[]> {
  const source = await openLog(path);
  const frames: WireFrame[] = [];
  let firstUs: number | null = null;
  for (let batch = await source.next(); batch !== null; batch = await source.next()) {
    for (let i = 0; i < batch.count; i++) {
      const tUs = batch.tS[i]! * 1e6;
      firstUs ??= tUs;
      if (tUs - firstUs > seconds * 1e6) break;
      const ext = (batch.flags[i]! & FRAME_EXT) !== 0;
      frames.push({ tUs: tUs - firstUs, id: batch.id[i]!, ext, data: [...batch.payload(i)] });
    }
  }
  await source.close();
  return frames;
}

/** Value after value of each signal, as a run on the log itself would decode it. */
async function valuesOfLog(
  frames: readonly WireFrame[],
  dbcFile: string,
): Promise<Map<string, (number | null)[]>> {
  const { profile } = await loadProfile({ profile: 'ford-gt350', dbcFiles: [dbcFile] });
  const values = new Map<string, (number | null)[]>(profile.paths.map((path) => [path, []]));
  for (const frame of frames) {
    const { batch, tUs } = framesOf([frame]);
    profile.consume(batch, 0, 1, tUs);
    for (const { path, value } of profile.drain()) values.get(path)!.push(value);
  }
  return values;
}

const plain = ({ id, ext, data }: WireFrame): string =>
  `${ext ? 'x' : ''}${id}#${Buffer.from(data).toString('hex')}`;

t.test('run --can on a real recording', { skip, timeout: 180_000 }, async (t) => {
  if (log === null || dbc === null) return;
  const state = t.testdir();
  const frames = await framesOfLog(log);
  const { profile } = await loadProfile({ profile: 'ford-gt350', dbcFiles: [dbc] });
  const wanted = new Set(profile.identifiers.map(({ id, ext }) => `${ext}${id}`));
  const sent = frames.filter(({ id, ext }) => wanted.has(`${ext}${id}`)).map(plain);
  t.ok(sent.length > 500, `${frames.length} frames of the car, ${sent.length} of them for the profile`);

  addVcan('vcan6');
  t.teardown(() => ip('link del vcan6'));
  const args = ['run', '--can', 'vcan6', '--profile', 'ford-gt350', '--dbc', dbc, '--jurisdiction', 'DEU'];
  const daemon = spawn(process.execPath, [drivemcpScript, ...args, '--state', state, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => daemon.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  daemon.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  daemon.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => daemon.on('close', resolve));
  const received = (): number => {
    const path = join(state, 'status.json');
    if (!existsSync(path)) return -1;
    const { interfaces } = JSON.parse(readFileSync(path, 'utf8')) as { interfaces: { frames: number }[] };
    return interfaces[0]?.frames ?? -1;
  };
  const until = async (what: string, holds: () => boolean): Promise<void> => {
    const deadlineMs = performance.now() + 90_000;
    while (!holds()) {
      if (daemon.exitCode !== null || performance.now() > deadlineMs)
        throw new Error(`in vain: ${what}\n${stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await until('a running daemon', () => received() === 0);
  const bus = play(frames, 'vcan6', { once: true });
  await until('every frame', () => received() >= sent.length);
  daemon.kill('SIGINT');
  const code = await ended;
  bus.stop();
  t.equal(code, 0, stderr);

  const { summary } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
    summary: { ticks: number; decision_hash: string; input: { interfaces: Record<string, unknown>[] } };
  };
  t.match(summary.input.interfaces[0], { kernel_drops: 0, ring_drops: 0, malformed: 0, frames: sent.length });
  const recording = findRecording(undefined, state);
  t.same(
    (await framesOfDrive(recording, Infinity)).map(plain),
    sent,
    'what was recorded is what the car sent',
  );

  const ofLog = await valuesOfLog(frames, dbc);
  const strange = new Set<string>();
  let seen = 0;
  const speeds: number[] = [];
  for await (const record of (await readRecording(recording)).records({ types: ['inputs'] })) {
    if (record.type !== 'inputs') continue;
    for (const { path, value } of record.inputs.signals) {
      seen++;
      // What a tick sees is one of the values the log gives, and never one from before the value seen last.
      const values = ofLog.get(path) ?? [];
      while (values.length > 0 && !Object.is(values[0], value)) values.shift();
      if (values.length === 0) strange.add(path);
      if (path === 'Vehicle.Powertrain.CombustionEngine.Speed' && value !== null) speeds.push(value);
    }
  }
  t.same([...strange], [], `${seen} values of ${ofLog.size} signals are those of the log, in its order`);
  t.ok(speeds.length > 50, `${speeds.length} ticks saw the engine's speed`);
  const replayed = await drivemcp(['replay', '--state', state, '--frames', '--json']);
  t.equal(replayed.code, 0, replayed.stderr);
  const again = replayed.objects().at(-1)?.['summary'] as Record<string, unknown>;
  t.equal(again['decision_hash'], summary.decision_hash, `${summary.ticks} decisions`);
});
