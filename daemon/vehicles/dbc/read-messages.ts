/** BO_, SG_ and BO_TX_BU_: what decoding needs. */
import { addReference } from './apply-reference.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import { type Draft, type DraftMessage, type DraftSignal, type MuxMark, messageKey } from './draft.js';
import { checkNameLength, countEntry, maxMessages, maxSignals, shownText } from './limits.js';
import { type Scanner, SyntaxFault } from './scanner.js';
import { endStatement } from './statement-end.js';

/** Vector's holder of signals that belong to no message. */
const independentSignals = 0xc0000000;
const placeholderNode = 'Vector__XXX';
const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `BO_ id name: length sender` */
export function readMessage(scanner: Scanner, draft: Draft, log: DiagnosticLog, start: number): void {
  draft.current = null;
  draft.isMessageLost = false;
  const idInFile = scanner.unsigned('a message id');
  scanner.skipBlank();
  const nameOffset = scanner.pos;
  const name = scanner.word('a message name');
  checkNameLength(log, nameOffset, scanner.pos, 'a message name');
  scanner.expect(':', "':' after the message name");
  scanner.skipBlank();
  const lengthOffset = scanner.pos;
  const length = scanner.unsigned('the number of payload bytes');
  if (length > 0xffff) {
    throw new SyntaxFault('syntax_error', lengthOffset, `a payload of ${length} bytes is impossible`);
  }
  scanner.skipBlankOnLine();
  const sender = scanner.isAtLineEnd ? placeholderNode : scanner.word('the sending node');
  const key = messageKey(idInFile);
  const ext = key >= 0x80000000;
  const id = ext ? key - 0x80000000 : key;
  const { line, column } = log.lines.place(start);
  const message: DraftMessage = {
    id,
    ext,
    name,
    length,
    senders: sender === placeholderNode ? [] : [sender],
    signals: [],
    comment: null,
    cycleMs: null,
    isFd: false,
    isJ1939: false,
    attributes: null,
    byName: new Map(),
    line,
    column,
  };
  draft.current = message;
  if (idInFile === independentSignals) {
    draft.skippedKeys.add(key);
    return;
  }
  if (id > 0x1fffffff) {
    log.at(
      start,
      'message_id_out_of_range',
      `${name}: id ${idInFile} has more than 29 bits; the message is left out`,
    );
    draft.skippedKeys.add(key);
    return;
  }
  if (key !== idInFile) {
    log.at(
      start,
      'message_id_without_ext_flag',
      `${name}: id ${idInFile} has more than 11 bits but not bit 31; taken as a 29-bit id`,
    );
  }
  if (!identifier.test(name))
    log.at(nameOffset, 'name_not_identifier', `message name '${name}' is no C identifier`);
  if (++draft.messageCount > maxMessages) {
    throw new SyntaxFault('too_many_messages', start, `more than ${maxMessages} messages`);
  }
  const earlier = draft.messages.get(key);
  if (earlier) {
    log.at(
      start,
      'duplicate_message',
      `${name}: id ${id} was already used by ${earlier.name} in line ${earlier.line}; this later message is used`,
    );
    draft.messages.delete(key);
  }
  draft.messages.set(key, message);
}

/** `SG_ name [m1|M|m1M] : start|length@order sign (scale,offset) [min|max] "unit" receivers` */
export function readSignal(scanner: Scanner, draft: Draft, log: DiagnosticLog, start: number): void {
  scanner.skipBlank();
  const nameOffset = scanner.pos;
  const name = scanner.word('a signal name');
  checkNameLength(log, nameOffset, scanner.pos, 'a signal name');
  let mark: MuxMark | null = null;
  if (scanner.peek() !== ':') {
    scanner.skipBlank();
    const markOffset = scanner.pos;
    const word = scanner.word("':' or a multiplexer mark");
    mark = parseMuxMark(word);
    if (mark === null && word === 'm') {
      // Seen in public files: a selector marked 'm' beside signals marked m0, m1, …
      log.at(markOffset, 'mux_mark_unusual', `${name}: multiplexer mark 'm' is taken as 'M'`);
      mark = { value: null, isSelector: true };
    }
    if (mark === null) {
      throw new SyntaxFault(
        'syntax_error',
        markOffset,
        "expected ':', 'M', 'm<number>' or 'm<number>M' after the signal name",
      );
    }
  }
  scanner.expect(':', "':' after the signal name");
  const startBit = scanner.unsigned('a start bit');
  scanner.expect('|', "'|' between start bit and length");
  const bitLength = scanner.unsigned('a length in bits');
  scanner.expect('@', "'@' before the byte order");
  const order = scanner.peek();
  if (order !== '0' && order !== '1') scanner.fail('expected byte order 0 (Motorola) or 1 (Intel)');
  scanner.pos++;
  const sign = scanner.peek();
  if (sign !== '+' && sign !== '-') scanner.fail("expected '+' (unsigned) or '-' (signed)");
  scanner.pos++;
  scanner.expect('(', "'(' before the factor");
  const scale = scanner.number('a factor');
  scanner.expect(',', "',' between factor and offset");
  const offset = scanner.number('an offset');
  scanner.expect(')', "')' after the offset");
  const [min, max] = readLimits(scanner, log, name);
  const unit = shownText(log, scanner.pos, scanner.string('the unit', 'line'), 'a unit');
  const receivers = readReceivers(scanner, draft);
  const message = draft.current;
  if (message === null) {
    throw new SyntaxFault('signal_without_message', start, `signal ${name} belongs to no readable message`);
  }
  if (++draft.signalCount > maxSignals) {
    throw new SyntaxFault('too_many_signals', start, `more than ${maxSignals} signals`);
  }
  const earlier = message.byName.get(name);
  if (earlier) {
    log.at(
      start,
      'duplicate_signal',
      `${message.name}.${name} was already defined in line ${earlier.line}; the first one is used`,
    );
    return;
  }
  if (!identifier.test(name))
    log.at(nameOffset, 'name_not_identifier', `signal name '${name}' is no C identifier`);
  if (scale === 0)
    log.at(start, 'scale_zero', `${message.name}.${name} has factor 0: its value is always ${offset}`);
  const { line, column } = log.lines.place(start);
  const signal: DraftSignal = {
    name,
    shortName: name,
    startBit,
    bitLength,
    byteOrder: order === '1' ? 'intel' : 'motorola',
    isSigned: sign === '-',
    floatBits: 0,
    scale,
    offset,
    min,
    max,
    unit,
    receivers,
    comment: null,
    labels: null,
    isSelector: mark?.isSelector ?? false,
    mux: null,
    mark,
    extendedMux: null,
    flaw: null,
    attributes: null,
    line,
    column,
  };
  message.signals.push(signal);
  message.byName.set(name, signal);
}

function parseMuxMark(word: string): MuxMark | null {
  if (word === 'M') return { value: null, isSelector: true };
  const match = /^m(\d+)(M?)$/.exec(word);
  return match === null ? null : { value: Number(match[1]), isSelector: match[2] === 'M' };
}

/** `[min|max]`: documentation only, so a number that cannot be read costs the limits and not the signal. */
function readLimits(scanner: Scanner, log: DiagnosticLog, name: string): [number | null, number | null] {
  scanner.expect('[', "'[' before the minimum");
  const start = scanner.pos;
  const min = scanner.tryNumber();
  const hasBar = scanner.take('|');
  const max = hasBar ? scanner.tryNumber() : Number.NaN;
  if (Number.isFinite(min) && Number.isFinite(max) && scanner.take(']')) {
    return min === 0 && max === 0 ? [null, null] : [min, max];
  }
  const close = scanner.text.indexOf(']', start);
  if (close < 0 || close > scanner.lineEnd(start)) scanner.fail("expected '[minimum|maximum]'");
  log.at(
    start,
    'invalid_number',
    `${name}: minimum and maximum '${scanner.text.slice(start, close)}' cannot be read`,
  );
  scanner.pos = close + 1;
  return [null, null];
}

/** Node names up to the end of the line, separated by commas or blanks; a comma goes on to the next line. */
function readReceivers(scanner: Scanner, draft: Draft): readonly string[] {
  let receivers: string[] = noReceivers;
  for (;;) {
    scanner.skipBlankOnLine();
    if (scanner.text.charAt(scanner.pos) === ',') {
      scanner.pos++;
      if (scanner.isAtStatement()) break;
      continue;
    }
    if (scanner.isAtLineEnd) break;
    const node = scanner.word('a receiving node');
    if (node === placeholderNode) continue;
    countEntry(draft, scanner.pos);
    if (receivers === noReceivers) receivers = [];
    receivers.push(node);
  }
  return receivers;
}

const noReceivers: string[] = [];

/** `BO_TX_BU_ id : node,node;` further senders */
export function readSenders(scanner: Scanner, draft: Draft, log: DiagnosticLog, start: number): void {
  const key = messageKey(scanner.unsigned('a message id'));
  scanner.expect(':', "':' before the sending nodes");
  const nodes: string[] = [];
  while (scanner.peek() !== ';' && !scanner.isAtStatement()) {
    if (scanner.take(',')) continue;
    countEntry(draft, scanner.pos);
    nodes.push(scanner.word('a sending node'));
  }
  endStatement(scanner, log);
  addReference(draft, {
    kind: 'senders',
    offset: start,
    target: { scope: 'message', key },
    nodes,
  });
}
