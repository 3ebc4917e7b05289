import type { FrameBatch } from '../../daemon/core/can/frame-batch.js';
import type { VehicleProfile } from '../../daemon/ports.js';

/** What any implementation of the VehicleProfile port is fed with: frames that give it valid values. */
export interface ProfileUnderTest {
  /** a fresh one each time */
  make(): VehicleProfile;
  frames(): { batch: FrameBatch; tUs: Float64Array };
}

/** Asserts the contract of daemon/ports.ts; throws on the first breach. */
export function assertVehicleProfile({ make, frames }: ProfileUnderTest): void {
  const ensure = (holds: boolean, what: string): void => {
    if (!holds) throw new Error(`VehicleProfile: ${what}`);
  };
  const profile = make();
  ensure(profile.name !== '', 'it has a name');
  ensure(/^[0-9a-f]{64}$/.test(profile.digest), 'the digest is a SHA-256');
  ensure(make().digest === profile.digest, 'the digest does not depend on the instance');
  ensure(
    [...profile.required.keys()].every((path) => profile.paths.includes(path)),
    'required paths are its own',
  );
  ensure(
    [...profile.required.values()].every((ageUs) => ageUs > 0),
    'required ages are positive',
  );
  ensure(profile.drain().length === 0, 'nothing is there before a frame');

  const { batch, tUs } = frames();
  profile.consume(batch, 0, 0, tUs);
  ensure(profile.drain().length === 0, 'an empty range gives nothing');
  profile.consume(batch, 0, batch.count, tUs);
  const all = profile.drain();
  ensure(all.length > 0, 'frames give samples');
  ensure(profile.drain().length === 0, 'a sample is given once');
  ensure(
    all.every((sample, i) => i === 0 || all[i - 1]!.path < sample.path),
    'samples are sorted by path, one a path',
  );
  for (const sample of all) {
    ensure(profile.paths.includes(sample.path), `${sample.path} was announced`);
    ensure(sample.value === null || Number.isFinite(sample.value), `${sample.path} is finite or null`);
    ensure(tUs.includes(sample.observedAtUs), `${sample.path} has the time of a frame`);
    ensure(Number.isInteger(sample.changes) && sample.changes >= 0, `${sample.path} counts changes`);
  }

  // In parts, from batches that are overwritten afterwards: the same samples.
  const parted = make();
  for (let i = 0; i < batch.count; i++) parted.consume(batch, i, i + 1, tUs.subarray(i, i + 1));
  batch.data.fill(0xa5);
  batch.id.fill(0);
  ensure(JSON.stringify(parted.drain()) === JSON.stringify(all), 'the split of a batch does not matter');
}
