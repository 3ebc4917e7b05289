import type { MessageClass } from './message-class.js';
import type { PhraseName, PhraseValues, ReasonName } from './phrasebook.js';

/** Which words a message takes. */
export interface Choice {
  readonly messageClass: MessageClass;
  readonly phrase: PhraseName;
  readonly reasons: readonly ReasonName[];
  /** quantised content for the key */
  readonly content: string;
  readonly extra?: PhraseValues;
}
