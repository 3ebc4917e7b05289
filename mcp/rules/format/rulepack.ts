/** A rulepack in memory: plain data, nothing of it runs. */
import type { DocumentHead } from './document-schema.js';
import type { PackManifest } from './manifest-schema.js';
import type { Rule } from './rule-schema.js';

export interface PackDocument {
  readonly head: DocumentHead;
  /** canonical text */
  readonly body: string;
  readonly file: string;
}

export interface Rulepack {
  readonly manifest: PackManifest;
  readonly folder: string;
  /** `DEU@1.0.0+ab12cd34ef56`: id, version, first six bytes of the tree hash */
  readonly version: string;
  /** by id; superseded texts under the same id, the newest first */
  readonly documents: ReadonlyMap<string, readonly PackDocument[]>;
  readonly rules: readonly Rule[];
  /** `signs.yaml` as plain data, unchecked; absent where it is read from the file when first asked */
  readonly signs?: unknown;
  /** installed without the signature of a trusted key */
  readonly isUnsigned?: true;
}
