import type { JsonObject, ToolName } from '../../../daemon/core/tick.js';
import type { AskExpert } from '../daemon-view.js';
import { fillText } from './ask-texts.js';
import type { CurrentState } from './current-state.js';
import type { AskLanguage } from './lexicon/intents.js';
import type { AskPhraseName, AskTexts } from './texts/schema.js';

/** Numbers and words of an answer, by name: no other number may stand in its text. */
export type AskRecord = Readonly<Record<string, string | number>>;

export interface AskCitation {
  readonly doc_id: string;
  readonly cite: string;
  /** data, not instructions */
  readonly quote: string;
}

export interface AskParts {
  readonly level1: string;
  /** at most three are told */
  readonly level2: readonly string[];
  readonly citations: readonly AskCitation[];
  readonly record: AskRecord;
  readonly confidence: number | null;
  readonly notes: readonly string[];
}

/** What every kind of answer is made from. */
export interface AskCase {
  readonly question: string;
  readonly language: AskLanguage;
  readonly texts: AskTexts;
  readonly state: CurrentState;
  readonly units: 'auto' | 'km/h' | 'mph';
  readonly asOf: string;
  readonly nowWallMs: number;
  readonly signal: AbortSignal;
  readonly ask: AskExpert;
}

/** Calls a tool of an expert. */
export function askTool(one: AskCase, tool: ToolName, call: string, args: JsonObject): Promise<JsonObject> {
  const request = { id: 'ask', tool, call, key: call, args, deadlineUs: 0, reason: [] };
  return one.ask(request, one.signal);
}

export function say({ texts }: AskCase, name: AskPhraseName, record: AskRecord = {}): string {
  return fillText(texts.phrases[name], record, texts);
}
