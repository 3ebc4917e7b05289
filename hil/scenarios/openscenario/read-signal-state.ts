import type { XmlElement } from '../../opendrive/xml-element.js';
import type { XoscReader } from './xosc-reader.js';

export interface Shown {
  readonly signal: string;
  readonly from_s: number;
  readonly value: number | 'off';
  readonly plate: 'wet' | null;
}

/** `60`, `off`, `80 wet`: what a gantry's panel shows. States of traffic lights are left out, and told. */
export function readSignalState(element: XmlElement, fromS: number, reader: XoscReader): Shown[] | null {
  const state = reader.text(element, 'state');
  const [, number, plate] = /^(off|\d+(?:\.\d+)?)(?: (wet))?$/.exec(state) ?? [];
  if (number === undefined) {
    reader.leaveOut(element, `state '${state.slice(0, 40)}': a number or off; lights have their own cycle`);
    return null;
  }
  return [
    {
      signal: reader.text(element, 'name'),
      from_s: fromS,
      value: number === 'off' ? 'off' : Number(number),
      plate: plate === 'wet' ? 'wet' : null,
    },
  ];
}
