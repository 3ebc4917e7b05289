/** What is collected while a file is read, before references are resolved. */
import type {
  DbcAttributeDefinition,
  DbcAttributeValue,
  DbcMessage,
  DbcMuxRange,
  DbcSignal,
} from './database.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** `m1`, `M`, `m1M` behind a signal's name. */
export interface MuxMark {
  readonly value: number | null;
  readonly isSelector: boolean;
}

export interface DraftSignal extends Omit<Mutable<DbcSignal>, 'attributes'> {
  /** name in SG_, by which the rest of the file refers to it */
  readonly shortName: string;
  readonly mark: MuxMark | null;
  /** by SG_MUL_VAL_ */
  extendedMux: { readonly selector: string; readonly ranges: readonly DbcMuxRange[] } | null;
  readonly column: number;
  attributes: Map<string, DbcAttributeValue> | null;
}

export interface DraftMessage extends Omit<Mutable<DbcMessage>, 'attributes' | 'signals' | 'senders'> {
  readonly column: number;
  readonly signals: DraftSignal[];
  senders: string[];
  readonly byName: Map<string, DraftSignal>;
  attributes: Map<string, DbcAttributeValue> | null;
}

/** A statement that speaks about a message, a signal or a node. */
export type Reference = { readonly offset: number } & (
  | { readonly kind: 'comment'; readonly target: Target; readonly text: string }
  | {
      readonly kind: 'attribute';
      readonly target: Target;
      readonly name: string;
      readonly value: DbcAttributeValue;
    }
  | { readonly kind: 'labels'; readonly target: Target; readonly labels: Map<number, string> }
  | { readonly kind: 'table'; readonly target: Target; readonly table: string }
  | { readonly kind: 'float'; readonly target: Target; readonly type: number }
  | {
      readonly kind: 'mux';
      readonly target: Target;
      readonly selector: string;
      readonly ranges: { from: number; to: number }[];
    }
  | { readonly kind: 'senders'; readonly target: Target; readonly nodes: string[] }
);

export type Target =
  | { readonly scope: 'network' }
  | { readonly scope: 'node'; readonly node: string }
  | { readonly scope: 'environment'; readonly name: string }
  | { readonly scope: 'message'; readonly key: number }
  | { readonly scope: 'signal'; readonly key: number; readonly signal: string };

export interface Draft {
  version: string;
  comment: string | null;
  readonly nodes: string[];
  /** all usable messages by key (see `messageKey`), in the order of the file */
  readonly messages: Map<number, DraftMessage>;
  /** keys of messages that were left out on purpose: references to them are no news */
  readonly skippedKeys: Set<number>;
  readonly valueTables: Map<string, Map<number, string>>;
  readonly definitions: Map<string, DbcAttributeDefinition>;
  readonly attributes: Map<string, DbcAttributeValue>;
  /** those whose object has not been read */
  readonly references: Reference[];
  /** signals go here; null before the first message and after one that could not be read */
  current: DraftMessage | null;
  signalCount: number;
  messageCount: number;
  entryCount: number;
  /** the last BO_ could not be read: its signals have no home, which was reported once */
  isMessageLost: boolean;
}

export function emptyDraft(): Draft {
  return {
    version: '',
    comment: null,
    nodes: [],
    messages: new Map(),
    skippedKeys: new Set(),
    valueTables: new Map(),
    definitions: new Map(),
    attributes: new Map(),
    references: [],
    current: null,
    signalCount: 0,
    messageCount: 0,
    entryCount: 0,
    isMessageLost: false,
  };
}

/**
 * Identity of a message from the number in the file: bit 31 marks a 29-bit identifier. A number above 0x7FF
 * without the mark can only be meant as a 29-bit identifier and gets it.
 */
export function messageKey(idInFile: number): number {
  return idInFile > 0x7ff && idInFile < 0x80000000 ? idInFile + 0x80000000 : idInFile;
}
