import type { Cubic, Lane, LaneSection, SpeedRecord } from './map.js';
import { Attributes, childOf, childrenOf, type XmlElement } from './xml-element.js';

/** Cubic records; `offset` names the attribute with their start. */
export function readCubics(
  elements: readonly XmlElement[],
  offset: 's' | 'sOffset',
  file: string,
): readonly Cubic[] {
  return elements
    .map((element) => {
      const attributes = new Attributes(element, file);
      return {
        fromM: attributes.number(offset),
        a: attributes.number('a'),
        b: attributes.number('b'),
        c: attributes.number('c'),
        d: attributes.number('d'),
      };
    })
    .sort((one, other) => one.fromM - other.fromM);
}

/** Units of OpenDRIVE; without one it is m/s. */
const unitMps: Readonly<Record<string, number>> = { 'm/s': 1, 'km/h': 1 / 3.6, mph: 0.44704 };

/** A `<speed>` element; null for "no limit". */
export function speedMps(element: XmlElement, file: string): number | null {
  const attributes = new Attributes(element, file);
  const max = attributes.text('max');
  if (max === 'no limit' || max === 'undefined') return null;
  const unit = attributes.text('unit', 'm/s');
  const factor = unitMps[unit];
  if (factor === undefined) throw attributes.error(`unit ${JSON.stringify(unit)}`);
  return attributes.number('max') * factor;
}

export function readLaneSections(road: XmlElement, lengthM: number, file: string): readonly LaneSection[] {
  const elements = childrenOf(childOf(road, 'lanes'), 'laneSection');
  if (elements.length === 0) throw new Attributes(road, file).error('no lane section');
  const starts = elements.map((element) => new Attributes(element, file).number('s'));
  return elements.map((element, i) => {
    const fromM = starts[i] as number;
    const toM = starts[i + 1] ?? lengthM;
    if (toM < fromM || (i === 0 && fromM > 1e-3))
      throw new Attributes(element, file).error(`a section from ${fromM} m to ${toM} m`);
    const lanes = ['left', 'center', 'right']
      .flatMap((side) => childrenOf(childOf(element, side), 'lane'))
      .map((lane) => readLane(lane, file))
      .sort((one, other) => other.id - one.id);
    return { fromM, toM, lanes };
  });
}

function readLane(element: XmlElement, file: string): Lane {
  const attributes = new Attributes(element, file);
  const id = attributes.lane('id');
  const link = childOf(element, 'link');
  return {
    id,
    type: attributes.text('type', 'none'),
    widths: readCubics(childrenOf(element, 'width'), 'sOffset', file),
    marks: childrenOf(element, 'roadMark').map((mark) => {
      const read = new Attributes(mark, file);
      return {
        fromM: read.number('sOffset', 0),
        type: read.text('type', 'none'),
        color: read.text('color', 'standard'),
        widthM: read.number('width', 0.12),
      };
    }),
    speeds: childrenOf(element, 'speed').map((speed): SpeedRecord => {
      return { fromM: new Attributes(speed, file).number('sOffset', 0), maxMps: speedMps(speed, file) };
    }),
    predecessor: linkedLane(childOf(link, 'predecessor'), file),
    successor: linkedLane(childOf(link, 'successor'), file),
  };
}

function linkedLane(element: XmlElement | undefined, file: string): number | null {
  return element === undefined ? null : new Attributes(element, file).lane('id');
}
