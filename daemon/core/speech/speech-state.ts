import type { EventType } from '../events/event-types.js';
import type { MessageKind } from '../explain/message.js';
import { messageClasses } from '../explain/message-class.js';
import type { Mode } from '../modes/mode-types.js';
import type { FiredEvent, JsonObject, OperatorCommand, Utterance } from '../tick.js';

export interface PendingMessage {
  readonly kind: MessageKind;
  readonly payload: JsonObject;
  readonly sinceUs: number;
}

export interface SpeechState {
  /** queue `speech`: by priority, at most 8, the least important dropped and counted */
  readonly pending: readonly PendingMessage[];
  readonly spoken: readonly { readonly key: string; readonly atUs: number }[];
  /** times of the last non-urgent utterances */
  readonly nonUrgentUs: readonly number[];
  readonly lastSpokenUs: number | null;
  readonly lastFollowingUs: number | null;
  /** when the driver was last told a limit or an advised speed, and which */
  readonly told: { readonly advice: string; readonly atUs: number } | null;
  /** highest hazard level spoken of since the last calm: 1 hazard, 2 urgent, 3 ACT */
  readonly hazardLevel: number;
  readonly hazardSpokenUs: number;
  readonly hazardSeenUs: number;
  readonly muted: readonly string[];
}

export const initialSpeech: SpeechState = {
  pending: [],
  spoken: [],
  nonUrgentUs: [],
  lastSpokenUs: null,
  lastFollowingUs: null,
  told: null,
  hazardLevel: 0,
  hazardSpokenUs: 0,
  hazardSeenUs: 0,
  muted: [],
};

/** The state before anything was said, with classes muted from the start; `hazard` is none that could be. */
export function speechMuting(classes: readonly string[]): SpeechState {
  const muted = messageClasses.filter((name) => name !== 'hazard' && classes.includes(name));
  return muted.length === 0 ? initialSpeech : { ...initialSpeech, muted: [...muted].sort() };
}

export interface Spoken {
  readonly state: SpeechState;
  readonly utterance: Utterance | null;
  /** what was ready to be said and was not, and why */
  readonly suppressed: readonly { readonly key: string; readonly by: string }[];
}

export interface SpeechContext {
  readonly mode: Mode;
  readonly modeBefore: Mode;
  readonly language: string;
  readonly verbosity: 'normal' | 'brief';
  readonly fired: readonly FiredEvent[];
  readonly active: readonly EventType[];
  readonly isActing: boolean;
  readonly periodUs: number;
  readonly commands: readonly OperatorCommand[];
}
