/** An answer of a control unit: what `obd decode` would say of it, and rows of a table. */
import type { DiagnosticValue } from '../vehicles/diagnostics/decode-pid.js';
import { decodeResponse } from '../vehicles/diagnostics/decode-response.js';
import { type EcuContext, newEcuContext } from '../vehicles/diagnostics/diagnostic-content.js';
import { idText } from '../vehicles/diagnostics/diagnostic-id.js';
import type { DiagnosticMessage } from '../vehicles/diagnostics/diagnostic-message.js';
import { negativeResponses } from '../vehicles/diagnostics/negative-response.js';
import { hexByte } from '../vehicles/diagnostics/trouble-code.js';

/** Decodes answers; remembers of each control unit what later answers depend on (PIDs 4F and 50). */
export class AnswerDecoder {
  readonly #contexts = new Map<number, EcuContext>();

  constructor(readonly bus: string) {}

  /** @param tS Unix seconds */
  decode(tS: number, request: readonly number[], answerId: number, raw: Uint8Array): DiagnosticMessage {
    let context = this.#contexts.get(answerId);
    if (context === undefined) {
      context = newEcuContext();
      this.#contexts.set(answerId, context);
    }
    const id = ecuText(answerId);
    const content = decodeResponse(Uint8Array.from(request), raw, context);
    return { ...content, tS, bus: this.bus, id, ecu: id, isRequest: false, raw };
  }
}

export function ecuText(answerId: number): string {
  return idText(answerId, answerId > 0x7ff);
}

export interface AnswerRow {
  readonly name: string;
  readonly value: string;
  readonly unit: string;
}

/** What an answer says, for people; maps of supported PIDs say nothing. */
export function answerRows(message: DiagnosticMessage): AnswerRow[] {
  const { service, pid, did, sub, values, dtcs, vin, nrc, error } = message;
  const asked = [service, pid ?? did ?? sub]
    .map((one) => (typeof one === 'number' ? hexByte(one) : ''))
    .join(' ');
  if (error !== undefined) return [{ name: asked, value: `(${error})`, unit: '' }];
  if (nrc !== undefined)
    return [{ name: asked, value: `refused: ${negativeResponses.get(nrc) ?? hexByte(nrc)}`, unit: '' }];
  if (vin !== undefined) return [{ name: 'VIN', value: vin ?? 'n/a', unit: '' }];
  if (dtcs !== undefined && values === undefined) {
    const list = (dtcs ?? []).map(({ code, ftb }) => (ftb === undefined ? code : `${code}-${ftb}`));
    return [{ name: codesName(service), value: list.join(' ') || 'none', unit: '' }];
  }
  return Object.entries(values ?? {}).map(([name, value]) => ({ name, ...valueCells(value) }));
}

function codesName(service: number | null): string {
  return service === 0x07 ? 'pending codes' : service === 0x0a ? 'permanent codes' : 'confirmed codes';
}

function valueCells({ value, unit, label }: DiagnosticValue): { value: string; unit: string } {
  if (value === null) return { value: 'n/a', unit: '' };
  const text = typeof value === 'number' ? String(Number(value.toPrecision(6))) : String(value);
  return { value: label === undefined ? text : `${text} (${label})`, unit };
}
