/** A diagnostic message as a JSON line and as a line for people. */
import { printable } from '../runtime/printable.js';
import type { DiagnosticValue, DiagnosticValues } from '../vehicles/diagnostics/decode-pid.js';
import type { DiagnosticMessage } from '../vehicles/diagnostics/diagnostic-message.js';
import type { Lamps } from '../vehicles/diagnostics/j1939-faults.js';
import { negativeResponses } from '../vehicles/diagnostics/negative-response.js';
import { pidTable } from '../vehicles/diagnostics/pid-table.js';
import { hexByte, type TroubleCode } from '../vehicles/diagnostics/trouble-code.js';
import { hasRightCheckDigit } from '../vehicles/diagnostics/vin.js';

const lowerHex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The names that others build on first, then what else is known. */
export function messageJson(message: DiagnosticMessage): string {
  const { tS, pid, did, sub, frame, pids, values, dtcs, vin, nrc, error, incomplete, pgn } = message;
  let text =
    `{"t":${Number.isFinite(tS) ? tS : 'null'},"bus":${JSON.stringify(message.bus)},"id":"${message.id}",` +
    `"ecu":${message.ecu === null ? 'null' : `"${message.ecu}"`},` +
    `"service":${message.service === null ? 'null' : `"${hexByte(message.service)}"`}`;
  if (pid !== undefined) text += `,"pid":"${hexByte(pid)}"`;
  if (did !== undefined) text += `,"did":"${hexWord(did)}"`;
  if (sub !== undefined) text += `,"sub":"${hexByte(sub)}"`;
  if (pgn !== undefined) text += `,"pgn":"${hexWord(pgn)}"`;
  if (message.faultMessage !== undefined) text += `,"message":"${message.faultMessage}"`;
  if (values !== undefined) text += valuesJson(values);
  if (dtcs !== undefined) text += `,"dtcs":${dtcs === null ? 'null' : `[${dtcs.map(codeJson).join()}]`}`;
  if (vin !== undefined) text += `,"vin":${JSON.stringify(vin)}`;
  if (typeof vin === 'string' && hasRightCheckDigit(vin) === false) text += ',"vin_check_digit":"wrong"';
  if (nrc !== undefined) text += `,"nrc":"${hexByte(nrc)}"`;
  text += `,"raw":"${hex(message.raw)}"`;
  if (error !== undefined) text += `,"error":"${error}"`;
  if (incomplete !== undefined) {
    text += `,"received_bytes":${incomplete.receivedBytes},"announced_bytes":${incomplete.announcedBytes}`;
  }
  if (frame !== undefined) text += `,"frame":${frame}`;
  if (pids !== undefined) text += `,"pids":${JSON.stringify(pids.map(hexByte))}`;
  if (message.supported !== undefined) {
    text += `,"supported":${JSON.stringify(message.supported.map(hexByte))}`;
  }
  if (message.lamps !== undefined) text += `,"lamps":${JSON.stringify(message.lamps)}`;
  if (pgn === undefined) text += `,"direction":"${message.isRequest ? 'request' : 'response'}"`;
  if (message.isRepeated === true) text += ',"repeated":true';
  if (message.isUnrequested === true) text += ',"unrequested":true';
  return `${text}}`;
}

function valuesJson(values: DiagnosticValues): string {
  let text = '';
  for (const name in values) {
    const { value, unit, label } = values[name]!;
    const shown = typeof value === 'number' ? String(value) : JSON.stringify(value);
    const more = label === undefined ? '' : `,"label":${JSON.stringify(label)}`;
    text += `${text === '' ? ',"values":{' : ','}"${name}":{"value":${shown},"unit":"${unit}"${more}}`;
  }
  return text === '' ? ',"values":{}' : `${text}}`;
}

function codeJson({ code, ftb, status, state, details }: TroubleCode): string {
  return JSON.stringify({
    code,
    ...(ftb === undefined ? {} : { ftb }),
    ...(status === undefined ? {} : { status }),
    state,
    ...details,
  });
}

/** `time bus id what it is: what it says` in columns. */
export function messageText(message: DiagnosticMessage): string {
  const bus = message.bus === '' ? '-' : message.bus;
  const arrow = message.pgn !== undefined ? ' ' : message.isRequest ? '>' : '<';
  const head = `${message.tS.toFixed(6).padStart(17)}  ${bus.padEnd(6)}  ${message.id.padStart(8)} ${arrow} `;
  return printable(`${head}${topic(message).padEnd(10)}  ${saying(message)}`);
}

function topic(message: DiagnosticMessage): string {
  const { service, pid, did, sub, pgn, faultMessage } = message;
  if (faultMessage !== undefined) return faultMessage;
  if (pgn !== undefined) return `PGN ${hexWord(pgn)}`;
  if (service === null) return '-';
  const parts = [hexByte(service)];
  if (pid !== undefined) parts.push(hexByte(pid));
  if (did !== undefined) parts.push(hexWord(did));
  if (sub !== undefined) parts.push(hexByte(sub));
  return parts.join(' ');
}

function saying(message: DiagnosticMessage): string {
  const { values, dtcs, vin, nrc, error, incomplete, supported, raw, lamps } = message;
  const parts: string[] = [];
  if (error !== undefined) {
    const far =
      incomplete === undefined
        ? ''
        : ` after ${incomplete.receivedBytes} of ${incomplete.announcedBytes} bytes`;
    parts.push(`${error.replaceAll('_', ' ')}${far}`);
  }
  if (nrc !== undefined)
    parts.push(`refused ${hexByte(nrc)} (${negativeResponses.get(nrc) ?? 'unknown reason'})`);
  if (vin !== undefined) parts.push(vinText(vin));
  if (dtcs !== undefined) parts.push(codesText(dtcs));
  if (lamps !== undefined) parts.push(lampText(lamps));
  if (values !== undefined) parts.push(...Object.entries(values).map(valueText));
  if (supported !== undefined) parts.push(`answers ${supported.map(hexByte).join(' ')}`);
  if (message.isRepeated === true) parts.push('(answered before)');
  if (message.isUnrequested === true) parts.push('(not asked for)');
  if (message.isRequest && parts.length === 0) {
    const name = message.service === 1 ? pidTable.get(message.pid ?? -1)?.name : undefined;
    parts.push(name === undefined ? 'request' : `request: ${name}`);
  }
  return parts.length === 0 ? hex(raw) : parts.join('  ');
}

function vinText(vin: string | null): string {
  if (vin === null) return 'VIN n/a';
  return hasRightCheckDigit(vin) === false ? `VIN ${vin} (its check digit is wrong)` : `VIN ${vin}`;
}

function codesText(dtcs: readonly TroubleCode[] | null): string {
  if (dtcs === null) return 'codes n/a';
  if (dtcs.length === 0) return 'no codes';
  return dtcs
    .map(
      ({ code, ftb, state }) => `${code}${ftb === undefined ? '' : `-${ftb}`} ${state.replaceAll('_', ' ')}`,
    )
    .join(', ');
}

function lampText(lamps: Lamps): string {
  const lit = Object.entries(lamps).filter(([, state]) => state !== null && state !== 'off');
  return lit
    .map(([name, state]) => `${name.replaceAll('_', ' ')} lamp ${String(state).replaceAll('_', ' ')}`)
    .join(', ');
}

/** Text without the noise of binary fractions; JSON has every digit. */
function valueText([name, { value, unit, label }]: [string, DiagnosticValue]): string {
  const shown =
    value === null
      ? 'n/a'
      : typeof value === 'number' && !Number.isInteger(value)
        ? String(Number(value.toPrecision(10)))
        : String(value);
  return `${name}=${shown}${unit === '' || value === null ? '' : ` ${unit}`}${label === undefined ? '' : ` (${label})`}`;
}

function hexWord(value: number): string {
  return value.toString(16).toUpperCase().padStart(4, '0');
}

function hex(bytes: Uint8Array): string {
  if (bytes.length > 32) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += lowerHex[bytes[i]!]!;
  return text;
}
