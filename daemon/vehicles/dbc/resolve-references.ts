/** The end of reading: late references, and attributes that mean something to decoding. */

import { applyReference } from './apply-reference.js';
import { attributeValue, type DbcAttributeValue } from './database.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import type { Draft, DraftMessage } from './draft.js';
import { maxNameChars } from './scanner.js';
import type { SourcePlace } from './source-text.js';

/** Attaches what named something that came later in the file, and reports what names nothing. */
export function resolveReferences(draft: Draft, log: DiagnosticLog): void {
  const nodes = new Set(draft.nodes);
  for (const reference of draft.references) {
    const { target, offset } = reference;
    if (target.scope === 'node' && !nodes.has(target.node)) {
      log.at(offset, 'unknown_node', `node ${target.node} is not listed in BU_`);
    }
    if (target.scope !== 'message' && target.scope !== 'signal') continue;
    if (applyReference(draft, reference)) continue;
    const message = draft.messages.get(target.key);
    if (!message) {
      if (!draft.skippedKeys.has(target.key)) {
        log.at(offset, 'unknown_message', `there is no message with id ${target.key}`);
      }
    } else if (target.scope === 'signal' && !message.byName.has(target.signal)) {
      log.at(offset, 'unknown_signal', `message ${message.name} has no signal ${target.signal}`);
    } else if (reference.kind === 'table') {
      log.at(offset, 'unknown_value_table', `there is no value table ${reference.table}`);
    }
  }
  const nodeNames = longNodeNames(draft);
  for (const message of draft.messages.values()) {
    interpretAttributes(message, draft, log);
    renameSignals(message, draft, log);
    if (nodeNames.size > 0) renameNodes(message, nodeNames);
  }
}

/** Frame formats by number where VFrameFormat is an INT or its ENUM is cut short (Vector's numbering). */
const frameFormats = new Map<DbcAttributeValue, string>([
  [3, 'J1939PG'],
  [14, 'StandardCAN_FD'],
  [15, 'ExtendedCAN_FD'],
]);

const none: ReadonlyMap<string, DbcAttributeValue> = new Map();

function interpretAttributes(message: DraftMessage, draft: Draft, log: DiagnosticLog): void {
  const own = message.attributes ?? none;
  const longName = attributeValue(draft.definitions, own, 'SystemMessageLongSymbol');
  if (typeof longName === 'string' && longName !== '') message.name = shortened(message, longName, log);
  const cycle = attributeValue(draft.definitions, own, 'GenMsgCycleTime');
  message.cycleMs = typeof cycle === 'number' && cycle > 0 ? cycle : null;
  const format = attributeValue(draft.definitions, own, 'VFrameFormat');
  const frameFormat = format === null ? null : (frameFormats.get(format) ?? format);
  message.isFd = frameFormat === 'StandardCAN_FD' || frameFormat === 'ExtendedCAN_FD';
  message.isJ1939 = message.ext && isJ1939(frameFormat, own.has('VFrameFormat'), draft);
}

/** Long names, as long as they tell the signals of the message apart. */
function renameSignals(message: DraftMessage, draft: Draft, log: DiagnosticLog): void {
  const names = new Set(message.byName.keys());
  for (const signal of message.signals) {
    if (signal.attributes === null) continue;
    const given = attributeValue(draft.definitions, signal.attributes, 'SystemSignalLongSymbol');
    if (typeof given !== 'string' || given === '' || given === signal.shortName) continue;
    const symbol = shortened(signal, given, log);
    if (names.has(symbol)) {
      log.report(
        signal,
        'duplicate_signal',
        `${message.name}.${signal.shortName} keeps its short name: another signal is called ${symbol}`,
      );
      continue;
    }
    names.delete(signal.shortName);
    names.add(symbol);
    signal.name = symbol;
  }
}

/** A long name within the bound of all names. */
function shortened(place: SourcePlace, name: string, log: DiagnosticLog): string {
  if (name.length <= maxNameChars) return name;
  log.report(place, 'name_too_long', `a long name of ${name.length} characters is cut to ${maxNameChars}`);
  return name.slice(0, maxNameChars);
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
  // ISO 11783 (agriculture) and NMEA 2000 (boats) identify their messages as J1939 does.
  return typeof protocol === 'string' && /j1939|iso\s?11783|isobus|nmea\s?2000|n2k/i.test(protocol);
}
