/** Where a text of law stands: fields of answers of the rules expert, read without trust. */
import { fieldsOf } from '../world/check-fact.js';

export interface Citation {
  readonly docId: string;
  readonly offset: number;
  readonly length: number;
}

const documentPattern = /^[A-Za-z0-9:._/-]{1,80}$/;
/** The base pack, then overlays and companions that took part, a space between them. */
const versionPattern = /^[A-Za-z0-9@+._/-]{1,64}(?: [A-Za-z0-9@+._/-]{1,64}){0,15}$/;
const maxCitations = 8;

export function readCitations(value: unknown): readonly Citation[] {
  if (!Array.isArray(value)) return [];
  const citations: Citation[] = [];
  for (const item of (value as readonly unknown[]).slice(0, maxCitations)) {
    const citation = readCitation(item);
    if (citation !== null) citations.push(citation);
  }
  return citations;
}

/** `{doc_id, span: [start, end]}`; null where it does not fit. */
export function readCitation(value: unknown): Citation | null {
  const { doc_id: docId, span } = fieldsOf(value) ?? {};
  if (typeof docId !== 'string' || !documentPattern.test(docId) || !Array.isArray(span)) return null;
  const [start, end] = span as readonly unknown[];
  if (!isOffset(start) || !isOffset(end) || end < start) return null;
  return { docId, offset: start, length: end - start };
}

export function readVersion(value: unknown): string | null {
  return typeof value === 'string' && versionPattern.test(value) ? value : null;
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
