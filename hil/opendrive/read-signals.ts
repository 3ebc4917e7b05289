import type { MapSignal } from './map.js';
import { Attributes, childOf, childrenOf, type XmlElement } from './xml-element.js';

/** Signals of a road; one that stands outside it is left out and noted. */
export function readSignals(
  road: XmlElement,
  roadId: string,
  lengthM: number,
  file: string,
  notes: string[],
): readonly MapSignal[] {
  const signals: MapSignal[] = [];
  for (const element of childrenOf(childOf(road, 'signals'), 'signal')) {
    const signal = readSignal(element, file);
    if (signal.sM < 0 || signal.sM > lengthM + 0.1)
      notes.push(`signal ${signal.id} at ${signal.sM} m of road ${roadId}, which has ${lengthM} m: left out`);
    else signals.push(signal);
  }
  return signals.sort((one, other) => one.sM - other.sM);
}

function readSignal(element: XmlElement, file: string): MapSignal {
  const attributes = new Attributes(element, file);
  const orientation = attributes.text('orientation', 'none');
  const value = attributes.text('value', '');
  const validity = childrenOf(element, 'validity').map((range) => {
    const read = new Attributes(range, file);
    return [read.number('fromLane'), read.number('toLane')] as const;
  });
  return {
    id: attributes.text('id'),
    sM: attributes.number('s'),
    tM: attributes.number('t'),
    zOffsetM: attributes.number('zOffset', 0),
    headingOffsetRad: attributes.number('hOffset', 0),
    orientation: orientation === '+' || orientation === '-' ? orientation : 'none',
    isDynamic: attributes.text('dynamic', 'no') === 'yes',
    country: attributes.text('country', '').toUpperCase(),
    type: attributes.text('type', ''),
    subtype: attributes.text('subtype', ''),
    value: value.trim() === '' || Number.isNaN(Number(value)) || value === '-1' ? null : Number(value),
    unit: attributes.text('unit', ''),
    text: attributes.text('text', ''),
    widthM: attributes.number('width', 0.6),
    heightM: attributes.number('height', 0.6),
    validity: validity.length === 0 ? null : validity,
  };
}
