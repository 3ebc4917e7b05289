import { checkLayout } from './check-layout.js';
import type { DbcAttributeValue, DbcDatabase, DbcMessage, DbcSignal } from './database.js';
import { DiagnosticLog } from './diagnostic-log.js';
import type { DbcDiagnostic } from './diagnostics.js';
import { type Draft, type DraftMessage, type DraftSignal, emptyDraft } from './draft.js';
import { countEntry, maxErrors, maxFileBytes } from './limits.js';
import { readComment, readMuxRanges, readValues, readValueTable, readValueType } from './read-annotations.js';
import { readAttribute, readAttributeDefault, readAttributeDefinition } from './read-attributes.js';
import { readMessage, readSenders, readSignal } from './read-messages.js';
import { readNewSymbols, readNodes, readVersion } from './read-preamble.js';
import { resolveMultiplexing } from './resolve-multiplexing.js';
import { resolveReferences } from './resolve-references.js';
import { Scanner, SyntaxFault } from './scanner.js';
import { binaryOffset, decodeText, LineIndex } from './source-text.js';
import { skipStatement } from './statement-end.js';

export interface ParsedDbc {
  readonly database: DbcDatabase;
  /** in the order of their place */
  readonly diagnostics: readonly DbcDiagnostic[];
}

type StatementReader = (scanner: Scanner, draft: Draft, log: DiagnosticLog, start: number) => void;

/** Statements that decoding depends on: losing one is an error. */
const vital: Readonly<Record<string, StatementReader>> = {
  BO_: readMessage,
  SG_: readSignal,
  SIG_VALTYPE_: readValueType,
  SG_MUL_VAL_: readMuxRanges,
};

/** Statements that document: losing one is a warning. All others are skipped unread. */
const documenting: Readonly<Record<string, StatementReader>> = {
  VERSION: readVersion,
  NS_: readNewSymbols,
  BS_: (scanner) => {
    // Bit timing is obsolete; the statement has no end mark.
    scanner.pos = scanner.lineEnd(scanner.pos);
  },
  BU_: readNodes,
  BO_TX_BU_: readSenders,
  CM_: readComment,
  VAL_TABLE_: readValueTable,
  VAL_: readValues,
  BA_DEF_: readAttributeDefinition,
  BA_DEF_DEF_: readAttributeDefault,
  BA_: readAttribute,
};

/**
 * Reads a DBC file. Never throws for what is in it: what cannot be read is reported with line and column, and
 * reading goes on at the next line that begins with a keyword. Work and memory are bounded for any input.
 */
export function parseDbc(bytes: Uint8Array, file = ''): ParsedDbc {
  const isTooLarge = bytes.length > maxFileBytes;
  const binaryAt = isTooLarge ? -1 : binaryOffset(bytes);
  // Of a binary file only the part up to the place of the finding is looked at.
  const text = isTooLarge ? '' : decodeText(binaryAt < 0 ? bytes : bytes.subarray(0, binaryAt));
  const scanner = new Scanner(text);
  const log = new DiagnosticLog(new LineIndex(text));
  const draft = emptyDraft();
  scanner.skipBlank();
  if (isTooLarge) {
    log.at(0, 'file_too_large', `${bytes.length} bytes; no more than ${maxFileBytes} are read`);
  } else if (binaryAt >= 0) {
    log.at(text.length, 'not_text', 'this is no text: too many control characters from here on');
  } else if (scanner.isAtEnd) {
    log.at(0, 'empty_file', 'the file is empty');
  } else {
    readStatements(scanner, draft, log);
    resolveReferences(draft, log);
    resolveMultiplexing(draft, log);
    checkLayout(draft, log);
    if (draft.messages.size === 0 && log.errorCount === 0) {
      log.at(0, 'no_messages', 'no message of the file can be used');
    }
  }
  return { database: finishDatabase(draft, file), diagnostics: log.finish() };
}

function readStatements(scanner: Scanner, draft: Draft, log: DiagnosticLog): void {
  let faults = 0;
  let last = '';
  for (scanner.skipBlank(); !scanner.isAtEnd; scanner.skipBlank()) {
    const start = scanner.pos;
    scanner.longStringStart = -1;
    try {
      last = readStatement(scanner, draft, log, start);
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      faults++;
      last = '';
      const isFatal = reportFault(error, scanner, draft, log, start);
      if (isFatal) return;
      if (faults >= maxErrors) {
        log.at(
          scanner.pos,
          'too_many_errors',
          `reading stopped after ${faults} statements that cannot be read`,
        );
        return;
      }
    }
  }
  if ((last === 'BO_' || last === 'SG_') && !/[\n]\s*$/.test(scanner.text.slice(-4096))) {
    log.at(
      scanner.text.length,
      'missing_final_newline',
      'the last line has no line end; the file may have been cut off',
    );
  }
}

function readStatement(scanner: Scanner, draft: Draft, log: DiagnosticLog, start: number): string {
  const keyword = scanner.tryWord();
  const reader = Object.hasOwn(vital, keyword)
    ? vital[keyword]
    : Object.hasOwn(documenting, keyword)
      ? documenting[keyword]
      : undefined;
  if (reader) reader(scanner, draft, log, start);
  else {
    scanner.pos = start;
    if (!scanner.isAtStatement()) {
      throw new SyntaxFault(
        'unexpected_text',
        start,
        `'${scanner.text.slice(start, start + 24)}' begins no statement`,
      );
    }
    scanner.pos = start + keyword.length;
    skipStatement(scanner, log);
  }
  countEntry(draft, start);
  return keyword;
}

/** Reports what stopped a statement and moves on; true where reading has to end. */
function reportFault(
  fault: SyntaxFault,
  scanner: Scanner,
  draft: Draft,
  log: DiagnosticLog,
  start: number,
): boolean {
  const keyword = /^\w*/.exec(scanner.text.slice(start, start + 32))![0];
  if (fault.code.startsWith('too_many')) {
    log.at(fault.offset, fault.code, `${fault.message}; the rest of the file is not read`);
    return true;
  }
  // A missing quote makes a string run to the next quote, lines further down: then the fault is at its begin.
  const isRunaway =
    scanner.longStringStart >= 0 && fault.code === 'syntax_error' && fault.offset > scanner.longStringStart;
  if (isRunaway) {
    log.at(
      scanner.longStringStart,
      'unterminated_string',
      `${keyword}: this text seems to have no closing quote`,
    );
    scanner.seekStatement(scanner.lineEnd(scanner.longStringStart) + 1);
    return false;
  }
  // A whole last line that lacks its ';' is an oversight; half a line means that the file was cut off.
  const isWholeLine = scanner.text.slice(scanner.lastTokenEnd()).includes('\n');
  const isLesser = fault.code === 'syntax_error' || (fault.code === 'unexpected_end' && isWholeLine);
  const isMinor = isLesser && !Object.hasOwn(vital, keyword);
  const message =
    keyword === '' || fault.code === 'unexpected_text' ? fault.message : `${keyword}: ${fault.message}`;
  // One report for a message that cannot be read, not one more for each of its signals.
  if (fault.code !== 'signal_without_message' || !draft.isMessageLost) {
    log.at(
      fault.offset,
      isMinor ? 'statement_skipped' : fault.code,
      isMinor ? `${message}; statement skipped` : message,
    );
  }
  if (keyword === 'BO_' || fault.code === 'signal_without_message') draft.isMessageLost = true;
  const from = fault.code === 'unterminated_string' ? scanner.lineEnd(fault.offset) : fault.offset;
  scanner.seekStatement(Math.max(from, start + 1));
  return false;
}

const noAttributes: ReadonlyMap<string, DbcAttributeValue> = new Map();

function finishDatabase(draft: Draft, file: string): DbcDatabase {
  return {
    file,
    version: draft.version,
    nodes: draft.nodes,
    messages: Array.from(draft.messages.values(), finishMessage),
    comment: draft.comment,
    valueTables: draft.valueTables,
    attributeDefinitions: draft.definitions,
    attributes: draft.attributes,
  };
}

function finishMessage(draft: DraftMessage): DbcMessage {
  const { byName: _byName, column: _column, attributes, ...message } = draft;
  return { ...message, signals: draft.signals.map(finishSignal), attributes: attributes ?? noAttributes };
}

/** Written out: copying by rest and spread took a third of the time of large files. */
function finishSignal(draft: DraftSignal): DbcSignal {
  return {
    name: draft.name,
    startBit: draft.startBit,
    bitLength: draft.bitLength,
    byteOrder: draft.byteOrder,
    isSigned: draft.isSigned,
    floatBits: draft.floatBits,
    scale: draft.scale,
    offset: draft.offset,
    min: draft.min,
    max: draft.max,
    unit: draft.unit,
    receivers: draft.receivers,
    comment: draft.comment,
    labels: draft.labels,
    isSelector: draft.isSelector,
    mux: draft.mux,
    flaw: draft.flaw,
    attributes: draft.attributes ?? noAttributes,
    line: draft.line,
  };
}
