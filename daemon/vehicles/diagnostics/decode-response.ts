/** From the bytes of a message to what it says: ISO 15031-5 / SAE J1979 (OBD) and ISO 14229-1 (UDS). */
import { currentData, freezeFrame } from './current-data.js';
import { identifiedData } from './data-identifier.js';
import { type DiagnosticContent, type EcuContext, newEcuContext } from './diagnostic-content.js';
import { storedCodes } from './obd-trouble-codes.js';
import { udsCodes } from './uds-trouble-codes.js';
import { vehicleInformation } from './vehicle-information.js';

const negative = 0x7f;

/** Services of which the second byte is a sub-function; its bit 7 only asks for silence. */
const withSubFunction = new Set([0x10, 0x11, 0x19, 0x27, 0x28, 0x31, 0x3e, 0x83, 0x85, 0x86, 0x87]);
/** services that name one byte: parameter, InfoType, monitor, local identifier */
const withParameter = new Set([0x01, 0x02, 0x05, 0x06, 0x08, 0x09, 0x1a, 0x21]);
const withIdentifier = new Set([0x22, 0x24, 0x2a, 0x2c, 0x2e, 0x2f]);

/** Whether the bytes answer a request of `service`, positively or not. */
export function answeredService(response: Uint8Array): number | null {
  const first = response[0];
  if (first === negative) return response[1] ?? null;
  return first !== undefined && (first & 0x40) !== 0 ? first - 0x40 : null;
}

/** What a request asks for. */
export function decodeRequest(request: Uint8Array): DiagnosticContent {
  const service = request[0];
  if (service === undefined) return { service: null, error: 'short' };
  return withSubject(service, request);
}

/**
 * What an answer says. `request` is the one it answers, or null where none was heard: it tells how many
 * parameters an answer has and what a refusal is about. `context` belongs to the unit that answers and is kept
 * from answer to answer.
 */
export function decodeResponse(
  request: Uint8Array | null,
  response: Uint8Array,
  context: EcuContext = newEcuContext(),
): DiagnosticContent {
  const first = response[0];
  if (first === undefined) return { service: null, error: 'short' };
  const service = answeredService(response);
  if (service === null) return first === negative ? { service, error: 'short' } : { service };
  const asked = request !== null && request[0] === service ? request : null;
  if (first === negative) {
    if (response.length < 3) return { service, error: 'short' };
    return { ...(asked === null ? { service } : withSubject(service, asked)), nrc: response[2]! };
  }
  switch (service) {
    case 0x01:
      return currentData(response, asked === null ? null : asked.subarray(1), context.limits);
    case 0x02:
      return freezeFrame(response, context.limits);
    case 0x03:
    case 0x07:
    case 0x0a:
      return storedCodes(service, response);
    case 0x09:
      return vehicleInformation(response);
    case 0x19:
      return udsCodes(response);
    case 0x22:
      return identifiedData(response, context.limits);
    default:
      return withSubject(service, response);
  }
}

function withSubject(service: number, bytes: Uint8Array): DiagnosticContent {
  if (bytes.length >= 2 && withSubFunction.has(service)) return { service, sub: bytes[1]! & 0x7f };
  if (bytes.length >= 2 && withParameter.has(service)) return { service, pid: bytes[1]! };
  if (bytes.length >= 3 && withIdentifier.has(service)) {
    return { service, did: (bytes[1]! << 8) | bytes[2]! };
  }
  return { service };
}
