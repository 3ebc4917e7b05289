/** A DBC file as read: names, numbers and text as the author wrote them, references resolved. */

export type DbcAttributeValue = string | number;
export type DbcAttributeScope = 'network' | 'node' | 'message' | 'signal' | 'environment';

export interface DbcAttributeDefinition {
  readonly name: string;
  readonly scope: DbcAttributeScope;
  readonly type: 'INT' | 'HEX' | 'FLOAT' | 'STRING' | 'ENUM';
  /** members of an ENUM; a value may be given as text or as an index into these */
  readonly members: readonly string[];
  /** null where the file has no BA_DEF_DEF_ for it */
  readonly defaultValue: DbcAttributeValue | null;
}

/** Raw value to text, from VAL_ or VAL_TABLE_. */
export type DbcLabels = ReadonlyMap<number, string>;

/** Inclusive range of raw selector values, compared with the selector's bits read as unsigned. */
export interface DbcMuxRange {
  readonly from: number;
  readonly to: number;
}

/** The condition under which a multiplexed signal is in the payload. */
export interface DbcMux {
  /** name of the selector in the same message; null where the file names none that exists */
  readonly selector: string | null;
  readonly ranges: readonly DbcMuxRange[];
}

/** Why a signal is never decoded; null for all others. */
export type DbcSignalFlaw = 'length' | 'outside' | 'float_length' | 'mux_selector' | 'mux_cycle';

export interface DbcSignal {
  /** SystemSignalLongSymbol where given, else the name in SG_ */
  readonly name: string;
  /** as in SG_: Intel = least significant bit; Motorola = most significant bit, bits numbered by byte·8 + bit */
  readonly startBit: number;
  readonly bitLength: number;
  readonly byteOrder: 'intel' | 'motorola';
  readonly isSigned: boolean;
  /** IEEE 754 width by SIG_VALTYPE_, 0 for integers */
  readonly floatBits: 0 | 32 | 64;
  /** physical = raw · scale + offset */
  readonly scale: number;
  readonly offset: number;
  /** documentation, never applied; null where the file says [0|0] */
  readonly min: number | null;
  readonly max: number | null;
  readonly unit: string;
  readonly receivers: readonly string[];
  readonly comment: string | null;
  readonly labels: DbcLabels | null;
  readonly isSelector: boolean;
  readonly mux: DbcMux | null;
  readonly flaw: DbcSignalFlaw | null;
  readonly attributes: ReadonlyMap<string, DbcAttributeValue>;
  readonly line: number;
}

export interface DbcMessage {
  /** 11 or 29 bits, without flag bits */
  readonly id: number;
  readonly ext: boolean;
  /** SystemMessageLongSymbol where given, else the name in BO_ */
  readonly name: string;
  /** payload bytes */
  readonly length: number;
  /** sender in BO_ first, then BO_TX_BU_ */
  readonly senders: readonly string[];
  /** in the order of the file */
  readonly signals: readonly DbcSignal[];
  readonly comment: string | null;
  /** GenMsgCycleTime in ms; null where not given or 0 */
  readonly cycleMs: number | null;
  /** by VFrameFormat */
  readonly isFd: boolean;
  /** matched by parameter group number: VFrameFormat J1939PG, or ProtocolType J1939 */
  readonly isJ1939: boolean;
  readonly attributes: ReadonlyMap<string, DbcAttributeValue>;
  readonly line: number;
}

export interface DbcDatabase {
  readonly file: string;
  readonly version: string;
  readonly nodes: readonly string[];
  /** usable messages; of duplicates of (id, ext) only the last */
  readonly messages: readonly DbcMessage[];
  readonly comment: string | null;
  readonly valueTables: ReadonlyMap<string, DbcLabels>;
  readonly attributeDefinitions: ReadonlyMap<string, DbcAttributeDefinition>;
  /** attributes of the network itself, e.g. BusType, ProtocolType */
  readonly attributes: ReadonlyMap<string, DbcAttributeValue>;
}

/** The holder's own value of an attribute, else its default; ENUM indices become their member. */
export function attributeValue(
  definitions: ReadonlyMap<string, DbcAttributeDefinition>,
  holder: ReadonlyMap<string, DbcAttributeValue>,
  name: string,
): DbcAttributeValue | null {
  const definition = definitions.get(name);
  const value = holder.get(name) ?? definition?.defaultValue ?? null;
  if (definition?.type === 'ENUM' && typeof value === 'number') return definition.members[value] ?? value;
  return value;
}
