/** One diagnostic question and what an answer has to look like to be one to it (ISO 15031-5, ISO 14229-1). */

export interface Question {
  readonly service: number;
  /** bytes after the service: a PID, an information type, a sub-function with its mask, a data identifier */
  readonly parameter: readonly number[];
}

export type AnswerKind =
  | { readonly kind: 'positive' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'negative'; readonly nrc: number }
  /** an answer to something else */
  | { readonly kind: 'other' }
  /** too short to be an answer at all */
  | { readonly kind: 'malformed' };

const NEGATIVE = 0x7f;
const RESPONSE_PENDING = 0x78;

export function requestBytes(question: Question): number[] {
  return [question.service, ...question.parameter];
}

export function questionKey(question: Question): string {
  return requestBytes(question).join(',');
}

/** Bytes of the parameter that a positive answer repeats: of ReadDTCInformation the sub-function alone. */
function echoLength(question: Question): number {
  return question.service === 0x19 ? 1 : question.parameter.length;
}

export function classifyAnswer(question: Question, payload: Uint8Array): AnswerKind {
  const first = payload[0];
  if (first === undefined) return { kind: 'malformed' };
  if (first === NEGATIVE) {
    const nrc = payload[2];
    if (nrc === undefined) return { kind: 'malformed' };
    if (payload[1] !== question.service) return { kind: 'other' };
    return nrc === RESPONSE_PENDING ? { kind: 'pending' } : { kind: 'negative', nrc };
  }
  if (first !== question.service + 0x40) return { kind: 'other' };
  const echo = echoLength(question);
  if (payload.length < 1 + echo) return { kind: 'malformed' };
  for (let i = 0; i < echo; i++) if (payload[1 + i] !== question.parameter[i]) return { kind: 'other' };
  return { kind: 'positive' };
}

/** Negative responses after which the same question has no point any more; the others may pass (busy, engine running). */
export function isFinalRefusal(nrc: number): boolean {
  return nrc !== 0x21 && nrc !== 0x22;
}
