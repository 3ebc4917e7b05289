/** VERSION, NS_ and BU_: the head of a file. */
import type { DiagnosticLog } from './diagnostic-log.js';
import type { Draft } from './draft.js';
import { countEntry } from './limits.js';
import type { Scanner } from './scanner.js';

/** `VERSION "text"`; a semicolon behind it is not of the format but harmless. */
export function readVersion(scanner: Scanner, draft: Draft): void {
  draft.version = scanner.string('the version');
  scanner.take(';');
}

/** `NS_ :` and a list of keywords, one on each line: it ends before a line that holds more than one word. */
export function readNewSymbols(scanner: Scanner): void {
  scanner.expect(':', "':' after NS_");
  for (;;) {
    scanner.skipBlank();
    const start = scanner.pos;
    const word = scanner.tryWord();
    scanner.skipBlankOnLine();
    if (word === '' || !scanner.isAtLineEnd) {
      scanner.pos = start;
      return;
    }
  }
}

/** `BU_: node node …`, also over the next lines as long as they hold names and nothing else */
export function readNodes(scanner: Scanner, draft: Draft, _log: DiagnosticLog): void {
  scanner.expect(':', "':' after BU_");
  for (;;) {
    scanner.skipBlankOnLine();
    if (scanner.isAtLineEnd && !isNodeLine(scanner)) return;
    if (scanner.take(',')) continue;
    if (scanner.isAtStatement() || scanner.isAtEnd) return;
    countEntry(draft, scanner.pos);
    draft.nodes.push(scanner.word('a node name'));
  }
}

const nodeLine = /\n[ \t]*\w[\w \t,]*(?:\r?\n|$)/y;

function isNodeLine(scanner: Scanner): boolean {
  nodeLine.lastIndex = scanner.pos;
  return nodeLine.test(scanner.text);
}
