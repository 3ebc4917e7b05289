/** Answers of OBD services 01 and 02: one parameter or several. */
import { type DiagnosticValues, decodePid, noteScaleLimits, type ScaleLimits } from './decode-pid.js';
import type { DiagnosticContent } from './diagnostic-content.js';
import { pidTable } from './pid-table.js';
import type { TroubleCode } from './trouble-code.js';

/**
 * `41 PID data (PID data)*`. How many parameters there are is known from the request; without it, an answer that
 * is no longer than its first parameter has one, and a longer one has several only if they fill it exactly.
 */
export function currentData(
  response: Uint8Array,
  asked: Uint8Array | null,
  limits: ScaleLimits,
): DiagnosticContent {
  if (response.length < 2) return { service: 1, error: 'short' };
  const split = splitParameters(response, asked);
  const first = response[1]!;
  if (split === null) return oneParameter(1, first, response, 2, response.length - 2, limits);
  const values: DiagnosticValues = {};
  const supported: number[] = [];
  const pids: number[] = [];
  let dtcs: readonly TroubleCode[] | undefined;
  let at = 1;
  for (const bytes of split) {
    const pid = response[at]!;
    const content = oneParameter(1, pid, response, at + 1, bytes, limits);
    if (content.error !== undefined) return content;
    for (const [name, value] of Object.entries(content.values ?? {})) {
      values[name in values ? `${name}_${pidText(pid)}` : name] = value;
    }
    supported.push(...(content.supported ?? []));
    dtcs = content.dtcs ?? dtcs;
    pids.push(pid);
    at += 1 + bytes;
  }
  return {
    service: 1,
    pid: first,
    pids,
    ...(Object.keys(values).length === 0 ? {} : { values }),
    ...(supported.length === 0 ? {} : { supported }),
    ...(dtcs === undefined ? {} : { dtcs }),
  };
}

/** `42 PID frame data`: the frame number is no data. */
export function freezeFrame(response: Uint8Array, limits: ScaleLimits): DiagnosticContent {
  if (response.length < 3) return { service: 2, error: 'short' };
  const content = oneParameter(2, response[1]!, response, 3, response.length - 3, limits);
  return { ...content, frame: response[2]! };
}

/** One parameter; also that of a UDS identifier F4xx. Limits that it announces are kept in `limits`. */
export function oneParameter(
  service: number,
  pid: number,
  data: Uint8Array,
  at: number,
  length: number,
  limits: ScaleLimits,
): DiagnosticContent {
  const decoded = decodePid(pid, data, at, length, limits);
  switch (decoded.kind) {
    case 'short':
      return { service, pid, error: 'short' };
    case 'values':
      noteScaleLimits(limits, pid, data, at);
      return { service, pid, values: decoded.values };
    case 'supported':
      return { service, pid, supported: decoded.pids };
    case 'dtc':
      return {
        service,
        pid,
        values: { DTCFRZF: { value: decoded.code, unit: '' } },
        dtcs: decoded.code === null ? [] : [{ code: decoded.code, state: 'confirmed' }],
      };
    case 'raw':
    case 'unknown':
      return { service, pid };
  }
}

const mostParameters = 6;

/** Data bytes of each of several parameters, or null where the answer has one (or cannot be divided). */
function splitParameters(response: Uint8Array, asked: Uint8Array | null): number[] | null {
  const only = asked !== null && asked.length === 1;
  const first = pidTable.get(response[1]!);
  if (only || first === undefined || response.length - 2 <= first.mostBytes) return null;
  return splitFrom(response, 1, mostParameters, asked);
}

function splitFrom(
  response: Uint8Array,
  at: number,
  left: number,
  asked: Uint8Array | null,
): number[] | null {
  if (at === response.length) return [];
  const pid = response[at]!;
  const entry = pidTable.get(pid);
  if (left === 0 || entry === undefined || (asked !== null && !asked.includes(pid))) return null;
  for (const bytes of new Set([entry.mostBytes, entry.bytes, entry.fewestBytes])) {
    if (at + 1 + bytes > response.length) continue;
    const rest = splitFrom(response, at + 1 + bytes, left - 1, asked);
    if (rest !== null) return [bytes, ...rest];
  }
  return null;
}

function pidText(pid: number): string {
  return pid.toString(16).toUpperCase().padStart(2, '0');
}
