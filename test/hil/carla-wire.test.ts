/** CARLA's wire: the bytes of its own 0.9.15 serializers, and properties of every codec. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { readAnswer, readRequest, writeAnswer, writeRequest } from '../../hil/carla/rpc/rpc-frame.js';
import { episodeLayouts } from '../../hil/carla/stream/episode-layout.js';
import {
  type ActorDynamicState,
  readEpisodeState,
  writeEpisodeState,
} from '../../hil/carla/stream/episode-state.js';
import { readImage, readLidar, writeImage, writeLidar } from '../../hil/carla/stream/sensor-data.js';
import { readSensorHeader } from '../../hil/carla/stream/sensor-header.js';
import { readToken, writeToken } from '../../hil/carla/stream/token.js';
import { readTypeState, writeTypeState } from '../../hil/carla/stream/type-state.js';
import { actor } from '../../hil/carla/wire/actor.js';
import { decodeMsgpack, decodeOne, encode } from '../../hil/carla/wire/codec.js';
import { commandCodec, commandSets } from '../../hil/carla/wire/command.js';
import { defaultEpisodeSettings, episodeSettings } from '../../hil/carla/wire/episode.js';
import { vehicleControl } from '../../hil/carla/wire/vehicle-control.js';
import { scaleFriction, vehiclePhysics } from '../../hil/carla/wire/vehicle-physics.js';
import {
  clearWeather,
  weatherFields,
  weatherOrder,
  weatherParameters,
} from '../../hil/carla/wire/weather.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';
import { goldenBytes, goldenSizes } from './carla-golden.js';

interface Vector {
  readonly name: string;
  readonly kind: 'text' | 'msgpack' | 'bytes' | 'size';
  readonly value?: number | string;
  readonly hex?: string;
}

const goldenFile = corpusFile('carla', 'golden-0.9.15.jsonl');
const vectors: readonly Vector[] =
  goldenFile === null
    ? []
    : readFileSync(goldenFile, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Vector);

t.test(
  'bytes equal those of the 0.9.15 serializers',
  { skip: goldenFile === null ? corpusMissing : false },
  (t) => {
    let compared = 0;
    for (const { name, kind, hex, value } of vectors) {
      if (kind === 'size' && name in goldenSizes) {
        t.equal(goldenSizes[name], value, name);
        compared++;
      } else if (hex !== undefined && name in goldenBytes) {
        t.equal(goldenBytes[name]?.().toString('hex'), hex, name);
        compared++;
      }
    }
    t.equal(
      compared,
      Object.keys(goldenBytes).length + Object.keys(goldenSizes).length,
      'every row of ours was compared',
    );
    const left = vectors
      .filter(({ name, hex }) => hex !== undefined && !(name in goldenBytes))
      .map(({ name }) => name);
    t.strictSame(left, ['VehiclePhysicsControl.default'], 'only the physics is compared below');
    t.end();
  },
);

t.test(
  'physics come back as they came, but for the friction',
  { skip: goldenFile === null ? corpusMissing : false },
  (t) => {
    const hex = vectors.find(({ name }) => name === 'VehiclePhysicsControl.default')?.hex ?? '';
    const physics = decodeOne(vehiclePhysics, Buffer.from(hex, 'hex'));
    t.equal(encode(vehiclePhysics, physics).toString('hex'), hex);
    const wheel = {
      tireFriction: 3.5,
      dampingRate: 0.25,
      maxSteerDeg: 70,
      radiusCm: 30,
      maxBrakeTorqueNm: 1500,
      maxHandbrakeTorqueNm: 3000,
      lateralStiffnessMaxLoad: 2,
      lateralStiffness: 17,
      longitudinalStiffness: 1000,
      position: { x: 1, y: 2, z: 3 },
    };
    const scaled = scaleFriction({ ...physics, wheels: [wheel, wheel] }, 0.5);
    t.strictSame(scaled, {
      ...physics,
      wheels: [
        { ...wheel, tireFriction: 1.75 },
        { ...wheel, tireFriction: 1.75 },
      ],
    });
    t.end();
  },
);

t.test('the vectors that stand in the protocol description', (t) => {
  const hex: Readonly<Record<string, string>> = {
    'rpc.request.version(id=0)': '940000a776657273696f6e9191c2',
    'Response<uint64>.value(7)': '91920107',
    'Response<void>.error(boom)': '9192c391a4626f6f6d',
    Transform: '9293ca3fc00000cac0100000ca4040000093ca40800000ca42b40000cac0c00000',
    'Command.DestroyActor': '9192019118',
    'token_data(stream 3, port 2001, tcp, no address)': '03000000d107010000000000000000000000000000000000',
  };
  for (const [name, expected] of Object.entries(hex))
    t.equal(goldenBytes[name]?.().toString('hex'), expected, name);
  t.end();
});

t.test('a shorter struct leaves the rest at its default, a longer one is cut', (t) => {
  const old = Buffer.from('93c3c292c3cb3fa999999999999a', 'hex');
  t.match(decodeOne(episodeSettings, old), { synchronousMode: true, fixedDeltaS: 0.05, maxSubsteps: 0 });
  const full = encode(episodeSettings, defaultEpisodeSettings);
  const longer = Buffer.concat([Buffer.of(0x90 + 12), full.subarray(1), Buffer.of(0x2a)]);
  t.strictSame(decodeOne(episodeSettings, longer), defaultEpisodeSettings);
  t.end();
});

t.test('wetness is field 8 of nine and field 9 of more', (t) => {
  for (const count of [9, 10, 13, 14]) {
    const values = decodeMsgpack(
      encode(weatherParameters(count), { ...clearWeather, wetness: 80 }),
      'weather',
    );
    t.equal((values as number[]).indexOf(80), count === 9 ? 8 : 9, `${count} fields`);
    t.equal((values as number[]).length, count);
  }
  t.end();
});

const float32 = fc.float({ noNaN: true, noDefaultInfinity: true });
const plain = { noNullPrototype: true };
const vector = fc.record({ x: float32, y: float32, z: float32 }, plain);
const angles = fc.record({ pitchDeg: float32, yawDeg: float32, rollDeg: float32 }, plain);
const pose = fc.record({ location: vector, rotation: angles }, plain);
const u32s = fc.integer({ min: 0, max: 0xffff_ffff });

t.test('properties: what is written is read', (t) => {
  fc.assert(
    fc.property(
      u32s,
      u32s,
      fc.string({ maxLength: 300, unit: 'grapheme' }),
      fc.uint8Array({ maxLength: 70_000, size: 'medium' }),
      fc.array(fc.record({ id: fc.string(), type: fc.integer({ min: 0, max: 255 }), value: fc.string() }), {
        maxLength: 20,
      }),
      (id, parentId, type, tags, attributes) => {
        const box = {
          location: { x: 0, y: 0, z: 0 },
          extent: { x: 1, y: 1, z: 1 },
          rotation: { pitchDeg: 0, yawDeg: 0, rollDeg: 0 },
        };
        const value = {
          id,
          parentId,
          description: { uid: 1, id: type, attributes },
          boundingBox: box,
          semanticTags: tags,
          streamToken: new Uint8Array(0),
        };
        const read = decodeOne(actor, encode(actor, value));
        return (
          read.id === id &&
          read.description.id === type &&
          Buffer.from(read.semanticTags).equals(Buffer.from(tags)) &&
          JSON.stringify(read.description.attributes) === JSON.stringify(attributes)
        );
      },
    ),
    { numRuns: 100 },
  );
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
      fc.array(fc.tuple(u32s, pose, vector), { maxLength: 5 }),
      (episodeId, rows) => {
        for (const layout of Object.values(episodeLayouts)) {
          const actors: ActorDynamicState[] = rows.map(([id, transform, velocityMps]) => ({
            id,
            actorState: 1,
            transform,
            velocityMps,
            angularVelocityDegps: velocityMps,
            accelerationMps2: velocityMps,
            typeBytes: Buffer.alloc(layout.hasSignId ? 54 : 29, 7),
          }));
          const state = { episodeId, platformTimestampS: 1.5, deltaS: 0.5, simulationState: 0, actors };
          assert.deepStrictEqual(readEpisodeState(writeEpisodeState(state, layout), layout), state);
        }
      },
    ),
    { numRuns: 30 },
  );
  t.end();
});

t.test('the union of each type, in both layouts', (t) => {
  const control = {
    throttle: 0.5,
    steer: 0,
    brake: 1,
    handBrake: true,
    reverse: false,
    manualGearShift: true,
    gear: -1,
  };
  const light = {
    kind: 'traffic-light',
    greenS: 10,
    yellowS: 3,
    redS: 7,
    elapsedS: 2.5,
    poleIndex: 9,
    isFrozen: true,
    state: 2,
  } as const;
  const cases = [
    [
      'vehicle.a.b',
      {
        kind: 'vehicle',
        control,
        speedLimitKmh: 50,
        trafficLightState: 0,
        hasTrafficLight: true,
        trafficLightId: 7,
        failureState: 0,
      },
    ],
    [
      'walker.pedestrian.0001',
      { kind: 'walker', control: { direction: { x: 0, y: 1, z: 0 }, speedMps: 1.5, jump: true } },
    ],
  ] as const;
  for (const hasSignId of [true, false]) {
    for (const [typeId, state] of cases)
      t.strictSame(readTypeState(writeTypeState(state, hasSignId), typeId, hasSignId), state);
    const withId = { ...light, signId: hasSignId ? 'signal-12' : '' };
    t.strictSame(
      readTypeState(writeTypeState(withId, hasSignId), 'traffic.traffic_light', hasSignId),
      withId,
    );
  }
  t.strictSame(
    readTypeState(
      writeTypeState({ kind: 'traffic-sign', signId: 'x'.repeat(40) }, true),
      'traffic.stop',
      true,
    ),
    { kind: 'traffic-sign', signId: 'x'.repeat(32) },
  );
  t.end();
});

t.test('images and scans', (t) => {
  const image = { widthPx: 3, heightPx: 2, fovDeg: 90, bgra: Buffer.alloc(24, 5) };
  t.strictSame(readImage(writeImage(image)), image);
  t.throws(() => readImage(writeImage(image).subarray(0, 30)), { code: 'CARLA_WIRE' });
  const scan = {
    horizontalRad: 0.5,
    pointsPerChannel: [1, 0, 2],
    points: Float32Array.from({ length: 12 }, (_, i) => i),
  };
  t.strictSame(readLidar(writeLidar(scan)), scan);
  t.throws(() => readLidar(writeLidar({ ...scan, pointsPerChannel: [1, 0, 1] })), /3 points/);
  t.strictSame(
    readLidar(writeLidar(scan, 3), 3).points,
    scan.points.map((value, i) => (i % 4 === 3 ? 1 : value)),
    'no intensity before 0.9.10',
  );
  t.end();
});

t.test('what fits nothing is CARLA_WIRE and nothing else', (t) => {
  const readers: readonly ((bytes: Buffer) => unknown)[] = [
    (bytes) => decodeOne(actor, bytes),
    (bytes) => decodeOne(vehicleControl, bytes),
    (bytes) => decodeOne(commandCodec(commandSets['0.9.16']), bytes),
    (bytes) => readAnswer(decodeMsgpack(bytes, 'answer')),
    (bytes) => readRequest(decodeMsgpack(bytes, 'request')),
    (bytes) => readEpisodeState(bytes, episodeLayouts['0.9.12']),
    (bytes) => readImage(bytes),
    (bytes) => readLidar(bytes),
    (bytes) => readSensorHeader(bytes),
    (bytes) => readToken(bytes),
  ];
  const starts = [...Object.values(goldenBytes)].map((write) => write());
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
      fc.nat(200),
      (start, edits, cut) => {
        const bytes = Buffer.from(start.subarray(0, Math.max(0, start.length - cut)));
        for (const [at, byte] of edits) if (at < bytes.length) bytes[at] = byte;
        for (const read of readers) {
          try {
            read(bytes);
          } catch (error) {
            if (!(error instanceof DriveMcpError && error.code === 'CARLA_WIRE')) throw error;
          }
        }
      },
    ),
    { numRuns: 500 },
  );
  t.end();
});

t.test('frames of the RPC', (t) => {
  const request = readRequest(decodeMsgpack(writeRequest(7, 'get_map_info', [Buffer.of(0x2a)]), 'request'));
  t.strictSame(request, { id: 7, method: 'get_map_info', params: [[false], 42] });
  t.strictSame(readRequest([2, 'x', []]), { notification: 'x' }, 'three values are a notification');
  t.strictSame(readAnswer(decodeMsgpack(writeAnswer(7, 'no', null), 'answer')), {
    id: 7,
    error: 'no',
    result: null,
  });
  t.equal(weatherOrder(14).length, weatherFields.length);
  t.throws(() => readToken(writeToken({ streamId: 1, port: 0, address: null })), /no port/);
  t.end();
});
