/** OBD service 09: who the vehicle and its control units are. */
import type { DiagnosticValues } from './decode-pid.js';
import { supportedPids } from './decode-pid.js';
import type { DiagnosticContent } from './diagnostic-content.js';
import { asciiField, readVin } from './vin.js';

/** Names of the in-use performance counters, in the order of the answer (SAE J1979). */
const sparkCounters =
  'OBDCOND IGNCNTR CATCOMP1 CATCOND1 CATCOMP2 CATCOND2 O2SCOMP1 O2SCOND1 O2SCOMP2 O2SCOND2 EGRCOMP EGRCOND AIRCOMP AIRCOND EVAPCOMP EVAPCOND SO2SCOMP1 SO2SCOND1 SO2SCOMP2 SO2SCOND2 AFRICOMP1 AFRICOND1 AFRICOMP2 AFRICOND2 PFCOMP1 PFCOND1 PFCOMP2 PFCOND2'.split(
    ' ',
  );
const compressionCounters =
  'OBDCOND IGNCNTR HCCATCOMP HCCATCOND NCATCOMP NCATCOND NADSCOMP NADSCOND PMCOMP PMCOND EGSCOMP EGSCOND EGRCOMP EGRCOND BPCOMP BPCOND FUELCOMP FUELCOND'.split(
    ' ',
  );

/** `49 InfoType [number of items] data`. */
export function vehicleInformation(response: Uint8Array): DiagnosticContent {
  if (response.length < 2) return { service: 9, error: 'short' };
  return { service: 9, pid: response[1]!, ...information(response[1]!, response.subarray(2)) };
}

/** The data of an InfoType, with or without the number of items before it (UDS identifiers F8xx have none). */
export function information(infoType: number, data: Uint8Array): Omit<DiagnosticContent, 'service'> {
  switch (infoType) {
    case 0x00:
    case 0x20:
    case 0x40:
      return data.length < 4 ? { error: 'short' } : { supported: supportedPids(infoType, data, 0) };
    case 0x01:
    case 0x03:
    case 0x05:
    case 0x07:
    case 0x09:
      if (data.length < 1) return { error: 'short' };
      return { values: { MESSAGE_COUNT: { value: data[0]!, unit: 'count' } } };
    case 0x02:
      // The count of items is 1; no character of a VIN is a control character.
      return vinField((data[0] ?? 0) < 0x20 ? data.subarray(1) : data);
    case 0x04:
      return items('CALID', data, 16, asciiField);
    case 0x06:
      return items('CVN', data, 4, upperHex);
    case 0x08:
      return counters(data, sparkCounters);
    case 0x0a:
      return items('ECUNAME', data, 20, unitName);
    case 0x0b:
      return counters(data, compressionCounters);
    case 0x0d:
      return items('ESN', data, 17, asciiField);
    default:
      return {};
  }
}

/** A whole and legal VIN, or null with the reason; never a part of one. */
export function vinField(data: Uint8Array): Omit<DiagnosticContent, 'service'> {
  const read = readVin(data);
  switch (read.kind) {
    case 'vin':
      return { vin: read.vin };
    case 'unavailable':
      return { vin: null };
    case 'short':
      return { vin: null, error: 'short' };
    case 'illegal':
      return { vin: null, error: 'malformed' };
  }
}

function items(
  name: string,
  data: Uint8Array,
  bytes: number,
  read: (item: Uint8Array) => string,
): Omit<DiagnosticContent, 'service'> {
  const hasCount = data.length % bytes === 1;
  const number = hasCount ? data[0]! : Math.floor(data.length / bytes);
  const from = hasCount ? 1 : 0;
  if (number === 0 || from + number * bytes > data.length || (!hasCount && data.length % bytes !== 0)) {
    return { error: 'short' };
  }
  const list: string[] = [];
  for (let i = 0; i < number; i++) list.push(read(data.subarray(from + i * bytes, from + (i + 1) * bytes)));
  const isEmpty = list.every((text) => text === '');
  return { values: { [name]: { value: isEmpty ? null : list, unit: '' } } };
}

function counters(data: Uint8Array, names: readonly string[]): Omit<DiagnosticContent, 'service'> {
  const hasCount = data.length % 2 === 1;
  const number = hasCount ? data[0]! : data.length / 2;
  const from = hasCount ? 1 : 0;
  if (number === 0 || from + number * 2 > data.length) return { error: 'short' };
  const values: DiagnosticValues = {};
  for (let i = 0; i < number; i++) {
    const at = from + 2 * i;
    values[names[i] ?? `COUNTER${i + 1}`] = { value: (data[at]! << 8) | data[at + 1]!, unit: 'count' };
  }
  return { values };
}

/** Four letters, a hyphen and fifteen letters, each part filled up with 00: `ECM-EngineControl`. */
function unitName(item: Uint8Array): string {
  return asciiField(item.filter((byte) => byte !== 0));
}

function upperHex(item: Uint8Array): string {
  return Array.from(item, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');
}
