/** UDS service 22: the identifiers of ISO 14229-1 annex C that identify a unit, and those of OBD on UDS. */
import { oneParameter } from './current-data.js';
import type { ScaleLimits } from './decode-pid.js';
import type { DiagnosticContent } from './diagnostic-content.js';
import { information, vinField } from './vehicle-information.js';
import { asciiField } from './vin.js';

interface Identifier {
  readonly name: string;
  readonly form: 'text' | 'hex' | 'number' | 'vin';
}

const text = (name: string): Identifier => ({ name, form: 'text' });
const hex = (name: string): Identifier => ({ name, form: 'hex' });

/** Identifiers that are read and decoded, beside F4xx (parameters) and F8xx (vehicle information). */
export const listedIdentifiers: ReadonlyMap<number, Identifier> = new Map([
  [0xf180, text('BOOT_SOFTWARE_ID')],
  [0xf181, text('APPLICATION_SOFTWARE_ID')],
  [0xf182, text('APPLICATION_DATA_ID')],
  [0xf186, { name: 'ACTIVE_SESSION', form: 'number' }],
  [0xf187, text('SPARE_PART_NUMBER')],
  [0xf188, text('ECU_SOFTWARE_NUMBER')],
  [0xf189, text('ECU_SOFTWARE_VERSION')],
  [0xf18a, text('SYSTEM_SUPPLIER')],
  [0xf18b, hex('MANUFACTURING_DATE')],
  [0xf18c, text('ECU_SERIAL_NUMBER')],
  [0xf190, { name: 'VIN', form: 'vin' }],
  [0xf191, text('ECU_HARDWARE_NUMBER')],
  [0xf192, text('SUPPLIER_HARDWARE_NUMBER')],
  [0xf193, text('SUPPLIER_HARDWARE_VERSION')],
  [0xf194, text('SUPPLIER_SOFTWARE_NUMBER')],
  [0xf195, text('SUPPLIER_SOFTWARE_VERSION')],
  [0xf196, text('TYPE_APPROVAL_NUMBER')],
  [0xf197, text('SYSTEM_NAME')],
  [0xf199, hex('PROGRAMMING_DATE')],
  [0xf19d, hex('INSTALLATION_DATE')],
  [0xf19e, text('ODX_FILE')],
]);

/** Whether the identifier may be asked for: identification, OBD parameters, OBD vehicle information. */
export function isListedIdentifier(did: number): boolean {
  return listedIdentifiers.has(did) || (did >= 0xf400 && did <= 0xf4ff) || (did >= 0xf800 && did <= 0xf8ff);
}

/** `62 DID data`. Other identifiers are the maker's: their bytes are kept, not interpreted. */
export function identifiedData(response: Uint8Array, limits: ScaleLimits): DiagnosticContent {
  if (response.length < 3) return { service: 0x22, error: 'short' };
  const did = (response[1]! << 8) | response[2]!;
  const head = { service: 0x22, did };
  const data = response.subarray(3);
  if (did >> 8 === 0xf4) {
    const { pid: _, ...content } = oneParameter(0x22, did & 0xff, response, 3, data.length, limits);
    return { ...content, did };
  }
  if (did >> 8 === 0xf8) return { ...head, ...information(did & 0xff, data) };
  const identifier = listedIdentifiers.get(did);
  if (identifier === undefined) return head;
  if (data.length === 0) return { ...head, error: 'short' };
  switch (identifier.form) {
    case 'vin':
      return { ...head, ...vinField(data) };
    case 'number':
      return { ...head, values: { [identifier.name]: { value: data[0]!, unit: '' } } };
    case 'hex':
      return { ...head, values: { [identifier.name]: { value: hexText(data), unit: '' } } };
    case 'text':
      return { ...head, values: { [identifier.name]: { value: readableText(data), unit: '' } } };
  }
}

/** Text where every byte is printable ASCII, else hexadecimal; null where nothing is programmed. */
function readableText(data: Uint8Array): string | null {
  const found = asciiField(data);
  if (found === '') return null;
  return /^[ -~]+$/.test(found) ? found.trim() : hexText(data);
}

function hexText(data: Uint8Array): string {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
