/** BA_DEF_, BA_DEF_DEF_ and BA_: user-defined attributes. */
import { addReference } from './apply-reference.js';
import type { DbcAttributeDefinition, DbcAttributeScope, DbcAttributeValue } from './database.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import type { Draft } from './draft.js';
import { countEntry } from './limits.js';
import { readTarget } from './read-annotations.js';
import type { Scanner } from './scanner.js';
import { endStatement } from './statement-end.js';

const scopes: ReadonlyMap<string, DbcAttributeScope> = new Map([
  ['', 'network'],
  ['BU_', 'node'],
  ['BO_', 'message'],
  ['SG_', 'signal'],
  ['EV_', 'environment'],
]);

/** `BA_DEF_ [BU_|BO_|SG_|EV_] "name" INT 0 10;` (HEX, FLOAT likewise, STRING without limits, ENUM "a","b") */
export function readAttributeDefinition(scanner: Scanner, draft: Draft, log: DiagnosticLog): void {
  const scopeWord = scanner.tryWord();
  const scope = scopes.get(scopeWord);
  if (scope === undefined)
    scanner.fail(`'${scopeWord}' is no object type; expected BU_, BO_, SG_ or EV_ before this`);
  const name = scanner.string('an attribute name');
  const type = scanner.word('an attribute type');
  const members: string[] = [];
  if (type === 'ENUM') {
    while (scanner.peek() === '"') {
      countEntry(draft, scanner.pos);
      members.push(scanner.string('an enumeration member'));
      scanner.take(',');
    }
  } else if (type === 'INT' || type === 'HEX' || type === 'FLOAT') {
    // Limits are documentation; some writers leave them out.
    while (!Number.isNaN(scanner.tryNumber()));
  } else if (type !== 'STRING') {
    scanner.fail(`'${type}' is no attribute type; expected INT, HEX, FLOAT, STRING or ENUM before this`);
  }
  endStatement(scanner, log);
  const definition: DbcAttributeDefinition = { name, scope, type, members, defaultValue: null };
  draft.definitions.set(name, definition);
}

/** `BA_DEF_DEF_ "name" value;` */
export function readAttributeDefault(
  scanner: Scanner,
  draft: Draft,
  log: DiagnosticLog,
  start: number,
): void {
  const name = scanner.string('an attribute name');
  const value = readValue(scanner);
  endStatement(scanner, log);
  const definition = draft.definitions.get(name);
  if (definition) draft.definitions.set(name, { ...definition, defaultValue: value });
  else log.at(start, 'unknown_attribute', `attribute "${name}" has a default but no definition before it`);
}

/** `BA_ "name" [target] value;` */
export function readAttribute(scanner: Scanner, draft: Draft, log: DiagnosticLog, start: number): void {
  const given = scanner.string('an attribute name');
  // One text for all uses of a name.
  const name = draft.definitions.get(given)?.name ?? given;
  const target = readTarget(scanner);
  const value = readValue(scanner);
  endStatement(scanner, log);
  if (target.scope === 'network') draft.attributes.set(name, value);
  else addReference(draft, { kind: 'attribute', offset: start, target, name, value });
}

function readValue(scanner: Scanner): DbcAttributeValue {
  return scanner.peek() === '"'
    ? scanner.string('an attribute value')
    : scanner.number('an attribute value: a number, or a text in quotes');
}
