/** Attaches comments, attributes, value tables and types to the messages and signals they name. */
import type { Draft, DraftMessage, DraftSignal, Reference } from './draft.js';

/**
 * Applies a reference at once where its object has been read, which is nearly always: a list of them all
 * would cost more memory than the messages. Else it is kept for the end of the file.
 */
export function addReference(draft: Draft, reference: Reference): void {
  if (!applyReference(draft, reference)) draft.references.push(reference);
}

/** False where the object, or the value table, is not there. */
export function applyReference(draft: Draft, reference: Reference): boolean {
  const { target } = reference;
  if (target.scope !== 'message' && target.scope !== 'signal') return false;
  const message = draft.messages.get(target.key);
  if (!message) return false;
  if (target.scope === 'message') {
    applyToMessage(reference, message);
    return true;
  }
  const signal = message.byName.get(target.signal);
  return signal !== undefined && applyToSignal(draft, reference, signal);
}

function applyToMessage(reference: Reference, message: DraftMessage): void {
  if (reference.kind === 'comment') message.comment = reference.text;
  else if (reference.kind === 'attribute') {
    message.attributes ??= new Map();
    message.attributes.set(reference.name, reference.value);
  } else if (reference.kind === 'senders') {
    const senders = new Set([...message.senders, ...reference.nodes]);
    senders.delete('Vector__XXX');
    message.senders = [...senders];
  }
}

function applyToSignal(draft: Draft, reference: Reference, signal: DraftSignal): boolean {
  switch (reference.kind) {
    case 'comment':
      signal.comment = reference.text;
      break;
    case 'attribute':
      signal.attributes ??= new Map();
      signal.attributes.set(reference.name, reference.value);
      break;
    case 'labels':
      signal.labels = reference.labels;
      break;
    case 'table': {
      const table = draft.valueTables.get(reference.table);
      if (!table) return false;
      signal.labels = table;
      break;
    }
    case 'float':
      signal.floatBits = reference.type === 1 ? 32 : reference.type === 2 ? 64 : 0;
      break;
    case 'mux':
      signal.extendedMux = { selector: reference.selector, ranges: reference.ranges };
      break;
  }
  return true;
}
