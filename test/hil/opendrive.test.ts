/** OpenDRIVE: geometry against closed forms and numeric derivatives, lanes, links, location, bad maps. */
import fc from 'fast-check';
import t from 'tap';
import {
  curvatureAlong,
  type GeometryRecord,
  type GeometryShape,
  poseAlong,
} from '../../hil/opendrive/geometry.js';
import { entrySM, exitsOf } from '../../hil/opendrive/lane-network.js';
import { indexRoads } from '../../hil/opendrive/locate.js';
import { readOpenDrive } from '../../hil/opendrive/read-map.js';
import {
  curvatureAt,
  laneEdgesM,
  lanePose,
  poseAside,
  referencePose,
  sectionAt,
} from '../../hil/opendrive/road-line.js';

const curvature = fc.double({ min: -0.1, max: 0.1, noNaN: true });
const coefficient = fc.double({ min: -0.01, max: 0.01, noNaN: true });
const shapes: fc.Arbitrary<GeometryShape> = fc.oneof(
  fc.constant({ kind: 'line' } as const),
  curvature.map((curvaturePerM) => ({ kind: 'arc', curvaturePerM }) as const),
  fc
    .tuple(curvature, curvature)
    .map(([startPerM, endPerM]) => ({ kind: 'spiral', startPerM, endPerM }) as const),
  fc
    .tuple(coefficient, coefficient, coefficient)
    .map(([c, d, e]) => ({ kind: 'param-poly3', u: [0, 50, c, d], v: [0, e, c, d], range: 1 }) as const),
);
const records: fc.Arbitrary<GeometryRecord> = fc
  .tuple(shapes, fc.double({ min: -3, max: 3, noNaN: true }))
  .map(([shape, headingRad]) => ({ fromM: 0, lengthM: 50, x: 10, y: -20, headingRad, shape }));

t.test('heading is the direction of travel and curvature its change', (t) => {
  const turned = (from: number, to: number): number => Math.atan2(Math.sin(to - from), Math.cos(to - from));
  fc.assert(
    fc.property(records, fc.double({ min: 1, max: 49, noNaN: true }), (record, s) => {
      const h = 1e-4;
      const [before, here, behind] = [s - h, s, s + h].map((at) => poseAlong(record, at));
      if (before === undefined || here === undefined || behind === undefined) return false;
      const direction = Math.atan2(behind.y - before.y, behind.x - before.x);
      const lengthM = Math.hypot(behind.x - before.x, behind.y - before.y);
      const bend = turned(before.headingRad, behind.headingRad) / lengthM;
      return (
        Math.abs(turned(direction, here.headingRad)) < 1e-5 &&
        Math.abs(bend - curvatureAlong(record, s)) < 1e-4
      );
    }),
    {
      numRuns: 200,
      examples: [
        [
          {
            fromM: 0,
            lengthM: 50,
            x: 10,
            y: -20,
            headingRad: 0,
            shape: { kind: 'arc', curvaturePerM: 1.67e-8 },
          },
          4.68,
        ],
      ],
    },
  );
  t.end();
});

t.test('closed forms: a quarter circle, and a clothoid against its Fresnel series', (t) => {
  const start = { fromM: 0, x: 0, y: 0, headingRad: 0 };
  const quarter = (Math.PI / 2) * 20;
  const arc = poseAlong(
    { ...start, lengthM: quarter, shape: { kind: 'arc', curvaturePerM: 1 / 20 } },
    quarter,
  );
  t.ok(
    Math.abs(arc.x - 20) < 1e-9 &&
      Math.abs(arc.y - 20) < 1e-9 &&
      Math.abs(arc.headingRad - Math.PI / 2) < 1e-9,
  );
  const lengthM = 60;
  const end = 0.03;
  const a = end / lengthM / 2;
  let x = 0;
  let y = 0;
  for (let n = 0, term = 1; n < 20; n++) {
    if (n > 0) term /= n;
    const part = (term * a ** n * lengthM ** (2 * n + 1)) / (2 * n + 1);
    if (n % 2 === 0) x += (n % 4 === 0 ? 1 : -1) * part;
    else y += (n % 4 === 1 ? 1 : -1) * part;
  }
  const clothoid = poseAlong(
    { ...start, lengthM, shape: { kind: 'spiral', startPerM: 0, endPerM: end } },
    lengthM,
  );
  t.ok(
    Math.abs(clothoid.x - x) < 1e-9 && Math.abs(clothoid.y - y) < 1e-9,
    `${clothoid.x - x} ${clothoid.y - y}`,
  );
  t.end();
});

const lane = (id: number, type = 'driving', link = ''): string =>
  `<lane id="${id}" type="${type}"><link>${link}</link><width sOffset="0" a="3.5" b="0" c="0" d="0"/><roadMark sOffset="0" type="solid" width="0.12"/></lane>`;
const link = (id: number): string => `<predecessor id="${id}"/><successor id="${id}"/>`;
const sections = (
  lanes = `<left>${lane(1, 'driving', link(1))}</left><center>${lane(0, 'none')}</center><right>${lane(-1, 'driving', link(-1))}${lane(-2, 'sidewalk')}</right>`,
): string => `<lanes><laneSection s="0">${lanes}</laneSection></lanes>`;

const map = `<?xml version="1.0"?>
<OpenDRIVE><header name="pair"/>
<road id="1" length="100" junction="-1"><link><successor elementType="road" elementId="2" contactPoint="start"/></link>
<type s="0" type="town" country="deu"><speed max="50" unit="km/h"/></type>
<planView><geometry s="0" x="0" y="0" hdg="0" length="100"><line/></geometry></planView>
<elevationProfile><elevation s="0" a="2" b="0.01" c="0" d="0"/></elevationProfile>
${sections()}
<signals><signal id="s1" s="40" t="-5" orientation="+" dynamic="no" country="DEU" type="274" subtype="-1" value="30" unit="km/h"/>
<signal id="lost" s="400" t="-5" type="274" value="30"/></signals></road>
<road id="2" length="50" junction="-1"><link><predecessor elementType="road" elementId="1" contactPoint="end"/><successor elementType="junction" elementId="9"/></link>
<planView><geometry s="0" x="100" y="0" hdg="0" length="50"><arc curvature="0.02"/></geometry></planView>${sections()}</road>
<road id="3" length="30" junction="9" rule="LHT"><planView><geometry s="0" x="150" y="0" hdg="1" length="30"><line/></geometry></planView>${sections()}</road>
<junction id="9"><connection id="0" incomingRoad="2" connectingRoad="3" contactPoint="start"><laneLink from="-1" to="-1"/></connection></junction>
</OpenDRIVE>`;

t.test('a map: lanes, signals, links, junctions, types, notes', (t) => {
  const { roads, notes } = readOpenDrive(map, 'pair.xodr');
  const [one, two, three] = ['1', '2', '3'].map((id) => roads.get(id));
  if (one === undefined || two === undefined || three === undefined) throw new Error('roads');
  t.match(one.types, [{ type: 'town', country: 'DEU', maxMps: 50 / 3.6 }]);
  t.match(one.signals, [{ id: 's1', value: 30, unit: 'km/h', orientation: '+' }]);
  t.match(notes, [/signal lost at 400 m of road 1/]);
  t.match(laneEdgesM(one, sectionAt(one, 5), -1, 5), [0, -3.5]);
  t.match(lanePose(one, -1, 10), { x: 10, y: -1.75, z: 2.1, headingRad: 0 });
  t.match(lanePose(one, 1, 10), { x: 10, y: 1.75, headingRad: Math.PI }, 'the left lane goes the other way');
  t.equal(lanePose(three, -1, 10).headingRad, 1 + Math.PI, 'in left-hand traffic the right lane does');
  t.strictSame(exitsOf({ name: '', roads, junctions: new Map(), notes }, one, -1), [
    { road: two, laneId: -1 },
  ]);
  t.strictSame(exitsOf({ name: '', roads, junctions: readOpenDrive(map, '').junctions, notes }, two, -1), [
    { road: three, laneId: -1 },
  ]);
  t.equal(entrySM({ road: three, laneId: -1 }), 30);
  t.strictSame(
    exitsOf({ name: '', roads, junctions: new Map(), notes }, two, -1),
    [],
    'a junction that is not there',
  );
  t.equal(curvatureAt(two, 10), 0.02);
  t.end();
});

t.test('a point is found on the lane it was made on', (t) => {
  const parsed = readOpenDrive(map, 'pair.xodr');
  const index = indexRoads(parsed);
  fc.assert(
    fc.property(
      fc.constantFrom('1', '2'),
      fc.double({ min: 0.1, max: 49, noNaN: true }),
      fc.double({ min: -6.9, max: 3.4, noNaN: true }),
      (id, sM, tM) => {
        const road = parsed.roads.get(id);
        if (road === undefined) return false;
        const { x, y } = poseAside(road, sM, tM);
        const found = index.locate(x, y);
        const expected = tM > 0 ? 1 : tM > -3.5 ? -1 : -2;
        return (
          found !== null &&
          found.road.id === id &&
          Math.abs(found.sM - sM) < 1e-3 &&
          Math.abs(found.tM - tM) < 1e-3 &&
          (found.laneId === expected || Math.abs(tM) < 1e-3 || Math.abs(tM + 3.5) < 1e-3)
        );
      },
    ),
    { numRuns: 300 },
  );
  t.equal(index.locate(1000, 1000), null);
  t.end();
});

const spiralRoad = (id: number): string =>
  map
    .slice(map.indexOf('<road'), map.indexOf('</road>') + 7)
    .replace('id="1" length', `id="${id}" length`)
    .replace('length="100"><line/>', 'length="5000"><spiral curvStart="0" curvEnd="0.01"/>');

t.test('bad maps have a place and a reason', (t) => {
  const bad: readonly (readonly [string, RegExp])[] = [
    ['', /no element|document must contain/],
    ['<OpenDRIVE>', /unclosed tag/],
    ['<osm/>', /not <OpenDRIVE>/],
    ['<OpenDRIVE/>', /no road/],
    [map.replace('length="100" junction', 'length="-1" junction'), /a road of -1 m/],
    [map.replace('<line/>', '<loop/>'), /<loop>: is no shape/],
    [map.replace('curvature="0.02"', 'curvature="NaN"'), /curvature is no number/],
    [map.replace('length="100"><line', 'length="40"><line'), /no geometry behind 40 m of 100 m/],
    [map.replace('<lane id="1"', '<lane id="1.5"'), /id is no number of a lane: 1.5/],
    [map.replace('unit="km/h"/></type>', 'unit="knots"/></type>'), /unit "knots"/],
    [map.replaceAll('laneSection', 'section'), /no lane section/],
    [map.replace('id="2" length', 'id="1" length'), /a second road 1/],
    [map.replace('length="100" junction', 'length="1e308" junction'), /length is 1e\+308: at most/],
    [map.replace('length="100" junction', 'length="200001" junction'), /a road of 200001 m/],
    [
      map.replace('length="100"><line/>', 'length="6000"><spiral curvStart="0" curvEnd="0.01"/>'),
      /a spiral of 6000 m/,
    ],
    [map.replace('<lane id="1"', '<lane id="99999999"'), /lane 99999999: at most 100/],
    [map.replace('length="100" junction', 'length="1e-9" junction'), /a road of 1e-9 m/],
    [
      `<OpenDRIVE>${Array.from({ length: 30 }, (_, i) => spiralRoad(i)).join('')}</OpenDRIVE>`,
      /more and longer spirals/,
    ],
    [`<OpenDRIVE ${Array.from({ length: 70 }, (_, i) => `a${i}=""`).join(' ')}/>`, /more than 64 attributes/],
    [`<OpenDRIVE>${'<a>'.repeat(100)}${'</a>'.repeat(100)}</OpenDRIVE>`, /nested deeper/],
    ['<!DOCTYPE x [<!ENTITY a "aaaa">]><OpenDRIVE>&a;</OpenDRIVE>', /undefined entity|no road/],
  ];
  for (const [text, message] of bad)
    t.throws(
      () => readOpenDrive(text, 'bad.xodr'),
      { code: 'MAP_INVALID', message, location: { file: 'bad.xodr' } },
      String(message),
    );
  fc.assert(
    fc.property(fc.nat(map.length), fc.string({ maxLength: 5 }), (at, put) => {
      try {
        readOpenDrive(map.slice(0, at) + put + map.slice(at + put.length), 'fuzz.xodr');
      } catch (error) {
        if ((error as { code?: string }).code !== 'MAP_INVALID') throw error;
      }
    }),
    { numRuns: 300 },
  );
  const numbers = [...map.matchAll(/"-?[0-9.]+"/g)];
  const extremes = ['1e308', '1e9', '-1e9', '190000', '1e-300', '0', '-0.001'];
  fc.assert(
    fc.property(fc.constantFrom(...numbers), fc.constantFrom(...extremes), (number, extreme) => {
      const end = number.index + number[0].length;
      try {
        indexRoads(readOpenDrive(`${map.slice(0, number.index)}"${extreme}"${map.slice(end)}`, 'far.xodr'));
      } catch (error) {
        if ((error as { code?: string }).code !== 'MAP_INVALID') throw error;
      }
    }),
    { numRuns: 300 },
  );
  t.equal(
    referencePose(readOpenDrive(map, '').roads.get('1') as never, 500).x,
    100,
    's is held within the road',
  );
  t.end();
});
