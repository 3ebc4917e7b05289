/** Frames of a car with all kinds of protection, and what can be wrong with them. */
import fc from 'fast-check';
import { FRAME_ERROR, FRAME_EXT, FRAME_FD, FRAME_REMOTE } from '../../daemon/core/can/frame-batch.js';
import { checksumKinds, type ProfileSignal } from '../../daemon/vehicles/profile/profile-schema.js';
import type { TestFrame } from '../vehicles/frames-of.js';
import { espState, protectedSpeed } from '../vehicles/test-car.js';

const checks = {
  xor8: { signal: 'BYTE' },
  sum8: { signal: 'BYTE' },
  crc8_sae_j1850: { signal: 'BYTE' },
  nibble_sum4: { signal: 'NIBBLE' },
  field_sum8: { signal: 'BYTE', of: ['VALUE', 'SUM_CNT'] },
} as const;

export function hostileCar(kind: (typeof checksumKinds)[number]): Record<string, ProfileSignal> {
  const check = checks[kind];
  return {
    ...protectedSpeed,
    'CHECKS.FLAG': {
      vss: 'Vehicle.IsMoving',
      counter: { signal: 'SUM_CNT' },
      checksum: { kind, signal: check.signal, ...('of' in check ? { of: [...check.of] } : {}) },
    },
    'Motor_1.Motordrehzahl': {
      vss: 'Vehicle.Powertrain.CombustionEngine.Speed',
      invalid_raw: [65535, 65534, 0],
    },
    'Motor_1.Oeltemperatur': {
      vss: 'Vehicle.Powertrain.CombustionEngine.EngineOil.Temperature',
      scale: 1.1,
      offset: -0.3,
      min: -20,
      max: 150,
    },
    'BODY_MUX.YAW_RATE_F': { vss: 'Vehicle.AngularVelocity.Yaw' },
    'BODY_MUX.AMBIENT_TEMP': { vss: 'Vehicle.Exterior.AirTemperature' },
  };
}

const byte = fc.nat(255);
const payload = fc.uint8Array({ maxLength: 64 }).map((data) => [...data]);

/** A payload of CHECKS that some of the checksums hold for. */
const summed = fc
  .tuple(fc.nat(65_535), byte, fc.constantFrom(...checksumKinds))
  .map(([value, rest, kind]) => {
    const data = [value & 255, value >> 8, rest, 0, 0, 0, 0, 0];
    const bytes = data.reduce((sum, each) => sum + each, 0);
    if (kind === 'xor8') data[7] = data.reduce((xor, each) => xor ^ each, 0);
    else if (kind === 'sum8') data[7] = bytes & 255;
    else if (kind === 'field_sum8') data[7] = (255 - (data[0]! + data[1]! + (rest >> 4))) & 255;
    else if (kind === 'nibble_sum4')
      data[6] = (16 - (data.reduce((sum, each) => sum + (each >> 4) + (each & 15), 0) & 15)) & 15;
    return { id: 1024, data };
  });

const frame: fc.Arbitrary<TestFrame> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.nat(4), byte).map(([step, c]) => espState(5000 + step * 40, c, step)) },
  { weight: 1, arbitrary: fc.tuple(fc.nat(65_535), byte, byte).map(([raw, c, f]) => espState(raw, c, f)) },
  { weight: 3, arbitrary: summed },
  { weight: 2, arbitrary: payload.map((data) => ({ id: 512, data })) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(4), fc.uint8Array({ minLength: 7, maxLength: 9 })).map(([page, data]) => ({
      id: 768,
      data: [page, ...data],
    })),
  },
  { weight: 1, arbitrary: payload.map((data) => ({ id: 0x18fef13e, ext: true, data })) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(0x1fffffff), payload).map(([id, data]) => ({ id, ext: true, data })),
  },
  { weight: 1, arbitrary: fc.tuple(fc.nat(0x7ff), payload).map(([id, data]) => ({ id, data })) },
);

/** What is done to a frame on its way. */
const harm = fc.oneof(
  { weight: 12, arbitrary: fc.constant((good: TestFrame): TestFrame => good) },
  {
    weight: 2,
    arbitrary: fc.nat(63).map(
      (length) =>
        (good: TestFrame): TestFrame => ({
          ...good,
          data: [...good.data, ...Array<number>(64).fill(0)].slice(0, length),
        }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(63), byte).map(
      ([at, xor]) =>
        (good: TestFrame): TestFrame => ({
          ...good,
          data: good.data.map((each, i) => (i === at % good.data.length ? each ^ xor : each)),
        }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(FRAME_ERROR, FRAME_REMOTE, FRAME_FD, FRAME_EXT, FRAME_FD | FRAME_EXT, 64).map(
      (flags) =>
        (good: TestFrame): TestFrame => ({ ...good, flags }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.nat(40).map(
      (bus) =>
        (good: TestFrame): TestFrame => ({ ...good, bus }),
    ),
  },
);

const stepUs = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 1, 10_000, 20_000, 99_999, 100_000, 100_001) },
  { weight: 1, arbitrary: fc.constantFrom(999_999, 1_000_000, 1_000_001, 60_000_000, 2 ** 40) },
  { weight: 1, arbitrary: fc.integer({ min: -2_000_000, max: 5_000_000 }) },
);

/** Frames with times, repetitions (counters freeze, faults begin) and looks between them. */
export const sequence = fc.array(
  fc.record({ frame, harm, stepUs, again: fc.oneof(fc.constant(0), fc.nat(8)), looks: fc.nat(9) }),
  { minLength: 1, maxLength: 60 },
);
