/** An act as an importer reads it: plain data. */
import type { ProvisionText } from './canonical-text.js';
import type { XmlPlace } from './law-error.js';
import type { XmlElement } from './xml-tree.js';

export interface RawLawFile {
  /** for messages */
  readonly file: string;
  readonly bytes: Buffer;
}

export interface LawAct {
  /** identifier of the official publisher: BJNR036710013, ukpga/1984/27, LEGITEXT000006074228, 10011336 */
  readonly locator: string;
  readonly title: string;
  /** how it is cited, where the file says so: StVO */
  readonly shortTitle: string;
  readonly lang: string;
}

export interface LawVersion extends XmlPlace {
  /** as the law calls it: `§ 3`, `Anlage 2 lfd. Nr. 49` */
  readonly label: string;
  /** last part of the provision id: p3, anl2.49, s81, r413-2 */
  readonly unit: string;
  readonly heading: string;
  readonly cite: string;
  /** null = the file does not say */
  readonly validFrom: string | null;
  /** first day on which it no longer holds; null = open */
  readonly validUntil: string | null;
  /** parts of the country, where it does not hold in all of it: GB-ENG */
  readonly extent: readonly string[];
  /** null = repealed: only dots, or a word for it, are left */
  readonly text: ProvisionText | null;
}

export interface SkippedUnit {
  readonly label: string;
  readonly reason: string;
}

export interface LawFile {
  readonly act: LawAct;
  readonly versions: readonly LawVersion[];
  readonly skipped: readonly SkippedUnit[];
  /** a day on which the texts held, where the file says no more; null = it does not say */
  readonly builtOn: string | null;
}

/** Reads one format. @throws DriveMcpError LAW_TEXT_LOST, LAW_XML_INVALID, LAW_EMPTY */
export type LawImporter = (root: XmlElement, file: string) => LawFile;
