/** Attaches comments, attributes, value tables and types to the messages and signals they name. */
import { attributeValue, type DbcAttributeValue } from './database.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import type { Draft, DraftMessage, DraftSignal, Reference } from './draft.js';

/** Ranges by SG_MUL_VAL_, to be applied by the resolution of multiplexing. */
export type ExtendedMux = Map<DraftSignal, { selector: string; ranges: { from: number; to: number }[] }>;

export function resolveReferences(draft: Draft, log: DiagnosticLog): ExtendedMux {
  const extendedMux: ExtendedMux = new Map();
  const nodes = new Set(draft.nodes);
  for (const reference of draft.references) {
    const { target } = reference;
    if (target.scope === 'node' && !nodes.has(target.node)) {
      log.at(reference.offset, 'unknown_node', `node ${target.node} is not listed in BU_`);
    }
    if (target.scope !== 'message' && target.scope !== 'signal') continue;
    const message = draft.messages.get(target.key);
    if (!message) {
      if (!draft.skippedKeys.has(target.key)) {
        log.at(reference.offset, 'unknown_message', `there is no message with id ${target.key}`);
      }
      continue;
    }
    if (target.scope === 'message') {
      applyToMessage(reference, message);
      continue;
    }
    const signal = message.byName.get(target.signal);
    if (signal) applyToSignal(reference, signal, draft, log, extendedMux);
    else {
      log.at(reference.offset, 'unknown_signal', `message ${message.name} has no signal ${target.signal}`);
    }
  }
  const nodeNames = longNodeNames(draft);
  for (const message of draft.messages.values()) {
    interpretAttributes(message, draft);
    if (nodeNames.size > 0) renameNodes(message, nodeNames);
  }
  return extendedMux;
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

function applyToSignal(
  reference: Reference,
  signal: DraftSignal,
  draft: Draft,
  log: DiagnosticLog,
  extendedMux: ExtendedMux,
): void {
  switch (reference.kind) {
    case 'comment':
      signal.comment = reference.text;
      return;
    case 'attribute':
      signal.attributes ??= new Map();
      signal.attributes.set(reference.name, reference.value);
      return;
    case 'labels':
      signal.labels = reference.labels;
      return;
    case 'table': {
      const table = draft.valueTables.get(reference.table);
      if (table) signal.labels = table;
      else log.at(reference.offset, 'unknown_value_table', `there is no value table ${reference.table}`);
      return;
    }
    case 'float':
      signal.floatBits = reference.type === 1 ? 32 : reference.type === 2 ? 64 : 0;
      return;
    case 'mux':
      extendedMux.set(signal, { selector: reference.selector, ranges: reference.ranges });
      return;
  }
}

/** Frame formats by number where VFrameFormat is an INT or its ENUM is cut short (Vector's numbering). */
const frameFormats = new Map<DbcAttributeValue, string>([
  [3, 'J1939PG'],
  [14, 'StandardCAN_FD'],
  [15, 'ExtendedCAN_FD'],
]);

const none: ReadonlyMap<string, DbcAttributeValue> = new Map();

function interpretAttributes(message: DraftMessage, draft: Draft): void {
  const own = message.attributes ?? none;
  const longName = attributeValue(draft.definitions, own, 'SystemMessageLongSymbol');
  if (typeof longName === 'string' && longName !== '') message.name = longName;
  const cycle = attributeValue(draft.definitions, own, 'GenMsgCycleTime');
  message.cycleMs = typeof cycle === 'number' && cycle > 0 ? cycle : null;
  const format = attributeValue(draft.definitions, own, 'VFrameFormat');
  const frameFormat = format === null ? null : (frameFormats.get(format) ?? format);
  message.isFd = frameFormat === 'StandardCAN_FD' || frameFormat === 'ExtendedCAN_FD';
  message.isJ1939 = message.ext && isJ1939(frameFormat, own.has('VFrameFormat'), draft);
  for (const signal of message.signals) {
    if (signal.attributes === null) continue;
    const symbol = attributeValue(draft.definitions, signal.attributes, 'SystemSignalLongSymbol');
    if (typeof symbol === 'string' && symbol !== '') signal.name = symbol;
  }
}

/** SystemNodeLongSymbol by the short name that the file uses; renames the list of nodes. */
function longNodeNames(draft: Draft): Map<string, string> {
  const names = new Map<string, string>();
  for (const reference of draft.references) {
    if (reference.kind !== 'attribute' || reference.target.scope !== 'node') continue;
    if (reference.name !== 'SystemNodeLongSymbol' || typeof reference.value !== 'string') continue;
    if (reference.value !== '') names.set(reference.target.node, reference.value);
  }
  for (const [index, node] of draft.nodes.entries()) draft.nodes[index] = names.get(node) ?? node;
  return names;
}

function renameNodes(message: DraftMessage, names: ReadonlyMap<string, string>): void {
  for (const [index, node] of message.senders.entries()) message.senders[index] = names.get(node) ?? node;
  for (const signal of message.signals) {
    if (signal.receivers.some((node) => names.has(node))) {
      signal.receivers = signal.receivers.map((node) => names.get(node) ?? node);
    }
  }
}

/** By the message's own frame format; where it has none, the protocol of the network counts too. */
function isJ1939(frameFormat: DbcAttributeValue | null, isOwn: boolean, draft: Draft): boolean {
  if (frameFormat === 'J1939PG') return true;
  if (isOwn) return false;
  const protocol = attributeValue(draft.definitions, draft.attributes, 'ProtocolType');
  return typeof protocol === 'string' && /^J1939(PG)?$/i.test(protocol);
}
