import type { GeometryRecord, GeometryShape, Polynomial } from './geometry.js';
import { Attributes, childOf, childrenOf, type XmlElement } from './xml-element.js';

/** Records may leave a gap of numerical noise at the end of a road, no more. */
const toleranceM = 0.1;
/** A point on a spiral is integrated from its start; those of roads are some hundred metres long. */
const longestSpiralM = 5000;

/** Geometry of a road; throws MAP_INVALID where a record is unknown or a part of the road has none. */
export function readPlanView(road: XmlElement, lengthM: number, file: string): readonly GeometryRecord[] {
  const records = childrenOf(childOf(road, 'planView'), 'geometry').map((element) =>
    readRecord(element, file),
  );
  const attributes = new Attributes(road, file);
  let reachedM = 0;
  for (const { fromM, lengthM } of records) {
    if (Math.abs(fromM - reachedM) > toleranceM)
      throw attributes.error(`no geometry between ${reachedM} m and ${fromM} m`);
    reachedM = fromM + lengthM;
  }
  if (reachedM < lengthM - toleranceM)
    throw attributes.error(`no geometry behind ${reachedM} m of ${lengthM} m`);
  return records;
}

function readRecord(element: XmlElement, file: string): GeometryRecord {
  const attributes = new Attributes(element, file);
  const lengthM = attributes.number('length');
  if (lengthM <= 0) throw attributes.error(`a piece of ${lengthM} m`);
  return {
    fromM: attributes.number('s'),
    lengthM,
    x: attributes.number('x'),
    y: attributes.number('y'),
    headingRad: attributes.number('hdg'),
    shape: readShape(element, lengthM, file),
  };
}

function readShape(element: XmlElement, lengthM: number, file: string): GeometryShape {
  const [form] = element.children;
  if (form === undefined) throw new Attributes(element, file).error('no shape');
  const attributes = new Attributes(form, file);
  switch (form.name) {
    case 'line':
      return { kind: 'line' };
    case 'arc':
      return { kind: 'arc', curvaturePerM: attributes.number('curvature') };
    case 'spiral':
      if (lengthM > longestSpiralM) throw attributes.error(`a spiral of ${lengthM} m`);
      return {
        kind: 'spiral',
        startPerM: attributes.number('curvStart'),
        endPerM: attributes.number('curvEnd'),
      };
    case 'poly3':
      return { kind: 'poly3', v: polynomial(attributes, ['a', 'b', 'c', 'd']) };
    case 'paramPoly3':
      return {
        kind: 'param-poly3',
        u: polynomial(attributes, ['aU', 'bU', 'cU', 'dU']),
        v: polynomial(attributes, ['aV', 'bV', 'cV', 'dV']),
        // Without pRange the parameter runs from 0 to 1 (OpenDRIVE 1.4, 5.3.4.1.5).
        range: attributes.text('pRange', 'normalized') === 'arcLength' ? lengthM : 1,
      };
    default:
      throw attributes.error('is no shape of a plan view');
  }
}

function polynomial(attributes: Attributes, names: readonly [string, string, string, string]): Polynomial {
  const [a, b, c, d] = names;
  return [attributes.number(a), attributes.number(b), attributes.number(c), attributes.number(d)];
}
