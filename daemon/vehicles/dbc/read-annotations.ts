/** CM_, VAL_TABLE_, VAL_, SIG_VALTYPE_ and SG_MUL_VAL_: statements about messages and signals. */
import { addReference } from './apply-reference.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import { type Draft, messageKey, type Target } from './draft.js';
import { countEntry, shownText } from './limits.js';
import { type Scanner, SyntaxFault } from './scanner.js';
import { endStatement } from './statement-end.js';

/** `BO_ id`, `SG_ id name`, `BU_ node`, `EV_ name` or nothing: what a statement is about. */
export function readTarget(scanner: Scanner): Target {
  const start = scanner.pos;
  switch (scanner.tryWord()) {
    case 'BO_':
      return { scope: 'message', key: messageKey(scanner.unsigned('a message id')) };
    case 'SG_': {
      const key = messageKey(scanner.unsigned('a message id'));
      return { scope: 'signal', key, signal: scanner.word('a signal name') };
    }
    case 'BU_':
      return { scope: 'node', node: scanner.word('a node name') };
    case 'EV_':
      return { scope: 'environment', name: scanner.word('the name of an environment variable') };
    default:
      scanner.pos = start;
      return { scope: 'network' };
  }
}

/** `CM_ [target] "text";` */
export function readComment(scanner: Scanner, draft: Draft, log: DiagnosticLog, start: number): void {
  const target = readTarget(scanner);
  const text = scanner.string('a comment');
  endStatement(scanner, log);
  if (target.scope === 'network') draft.comment = text;
  else addReference(draft, { kind: 'comment', offset: start, target, text });
}

/** `VAL_TABLE_ name 0 "text" 1 "text" ;` */
export function readValueTable(scanner: Scanner, draft: Draft, log: DiagnosticLog): void {
  const name = scanner.word('the name of a value table');
  const labels = readLabels(scanner, draft, log);
  endStatement(scanner, log);
  draft.valueTables.set(name, labels);
}

/** `VAL_ id signal 0 "text" … ;`, `VAL_ id signal table;` or, for an environment variable, `VAL_ name 0 "text" … ;` */
export function readValues(scanner: Scanner, draft: Draft, log: DiagnosticLog, start: number): void {
  scanner.skipBlank();
  const idOffset = scanner.pos;
  if (!/^\d+$/.test(scanner.word('a message id'))) {
    readLabels(scanner, draft, log);
    endStatement(scanner, log);
    return;
  }
  scanner.pos = idOffset;
  const key = messageKey(scanner.unsigned('a message id'));
  const target: Target = { scope: 'signal', key, signal: scanner.word('a signal name') };
  const next = scanner.peek();
  if (next === ';' || /[-+.\d]/.test(next)) {
    const labels = readLabels(scanner, draft, log);
    endStatement(scanner, log);
    addReference(draft, { kind: 'labels', offset: start, target, labels });
    return;
  }
  const table = scanner.word('value descriptions or the name of a value table');
  endStatement(scanner, log);
  addReference(draft, { kind: 'table', offset: start, target, table });
}

function readLabels(scanner: Scanner, draft: Draft, log: DiagnosticLog): Map<number, string> {
  const labels = new Map<number, string>();
  for (;;) {
    const next = scanner.peek();
    if (next === ';' || next === '' || scanner.isAtStatement()) return labels;
    const offset = scanner.pos;
    const value = scanner.number('a value');
    const text = shownText(log, offset, scanner.string('a value description'), 'a value description');
    countEntry(draft, offset);
    if (!Number.isSafeInteger(value)) {
      log.at(offset, 'invalid_number', `value ${value} of '${text}' is no integer within ±2^53; left out`);
      continue;
    }
    if (labels.has(value)) {
      log.at(offset, 'duplicate_value', `value ${value} is described twice; '${text}' is used`);
    }
    labels.set(value, text);
  }
}

/** `SIG_VALTYPE_ id signal : 1;` — 0 integer, 1 IEEE float, 2 IEEE double */
export function readValueType(scanner: Scanner, draft: Draft, log: DiagnosticLog, start: number): void {
  const key = messageKey(scanner.unsigned('a message id'));
  const signal = scanner.word('a signal name');
  scanner.take(':');
  scanner.skipBlank();
  const typeOffset = scanner.pos;
  const type = scanner.unsigned('a value type (0, 1 or 2)');
  if (type > 2) throw new SyntaxFault('syntax_error', typeOffset, 'expected a value type (0, 1 or 2)');
  endStatement(scanner, log);
  addReference(draft, {
    kind: 'float',
    offset: start,
    target: { scope: 'signal', key, signal },
    type,
  });
}

/** `SG_MUL_VAL_ id signal selector 0-0, 5-7;` */
export function readMuxRanges(scanner: Scanner, draft: Draft, log: DiagnosticLog, start: number): void {
  const key = messageKey(scanner.unsigned('a message id'));
  const signal = scanner.word('a signal name');
  const selector = scanner.word('the name of a selector');
  const ranges: { from: number; to: number }[] = [];
  do {
    if (scanner.peek() === ';') break;
    scanner.skipBlank();
    const offset = scanner.pos;
    const from = scanner.number('the first selector value of a range');
    scanner.expect('-', "'-' within a range");
    const to = scanner.number('the last selector value of a range');
    countEntry(draft, offset);
    if (from > to) log.at(offset, 'mux_range_invalid', `range ${from}-${to} of ${signal} is empty`);
    else ranges.push({ from, to });
  } while (scanner.take(','));
  endStatement(scanner, log);
  addReference(draft, {
    kind: 'mux',
    offset: start,
    target: { scope: 'signal', key, signal },
    selector,
    ranges,
  });
}
