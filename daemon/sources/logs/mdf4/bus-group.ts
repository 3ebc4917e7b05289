import type { RecordField } from './record-field.js';

/** Frames of ASAM MDF bus logging that this reader delivers. */
export type BusFrameKind = 'CAN_DataFrame' | 'CAN_RemoteFrame' | 'CAN_ErrorFrame';

/** Members of a bus frame that are numbers, by their ASAM names. */
export const busFieldNames = [
  'BusChannel',
  'ID',
  'IDE',
  'DLC',
  'DataLength',
  'Dir',
  'EDL',
  'BRS',
  'ESI',
] as const;
export type BusFieldName = (typeof busFieldNames)[number];

/** Where the payload of a data frame is. */
export type PayloadPlace =
  /** in the record itself */
  | { readonly kind: 'record'; readonly byteOffset: number; readonly bytes: number }
  /** in a signal data block, at the offset that the record holds */
  | { readonly kind: 'signalData'; readonly offset: RecordField; readonly address: number }
  /** in a record of its own, in the group with this record id */
  | { readonly kind: 'group'; readonly offset: RecordField; readonly recordId: number };

/** A channel group that holds CAN frames. */
export interface BusGroup {
  readonly kind: BusFrameKind;
  /** master channel; seconds = offset + factor · value */
  readonly time: RecordField;
  readonly timeFactor: number;
  readonly timeOffset: number;
  readonly fields: Readonly<Partial<Record<BusFieldName, RecordField>>>;
  readonly payload: PayloadPlace | null;
  /** bus name where the records have no channel number */
  readonly sourceName: string;
}

/** A channel group of a data group, of whatever kind: its records must be stepped over at least. */
export interface RecordGroup {
  readonly recordId: number;
  /** bytes of a record behind its id; 0 where each record has its own length */
  readonly recordBytes: number;
  readonly isVariable: boolean;
  readonly cycleCount: number;
  readonly bus: BusGroup | null;
}

/** A data group that holds CAN frames. */
export interface DataGroup {
  readonly dataAddress: number;
  /** bytes of the record id in front of each record; 0: one group, no ids */
  readonly recordIdBytes: number;
  readonly groups: ReadonlyMap<number, RecordGroup>;
}

/** What the structure blocks of a file say. */
export interface Mdf4Structure {
  /** Unix time of the start of the measurement: whole seconds and the rest */
  readonly startWholeS: number;
  readonly startRestS: number;
  readonly isLocalTime: boolean;
  readonly dataGroups: readonly DataGroup[];
  /** the recorder did not close the file: lengths and counts of the last blocks are not to be trusted */
  readonly isUnfinished: boolean;
  /** the recorder did not write the offsets of variable records */
  readonly hasNoOffsets: boolean;
  /** structure blocks that could not be read */
  readonly damagedBlocks: number;
}
