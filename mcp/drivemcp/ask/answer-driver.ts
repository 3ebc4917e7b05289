/** A driver's question in words: read by word lists, answered by the experts and the current state, told from templates. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { shownText } from '../../shared/shown-text.js';
import type { AskExpert } from '../daemon-view.js';
import { checkRephrasing } from '../rephrase/check-rephrasing.js';
import type { Rephraser } from '../rephrase/open-rephraser.js';
import { answerCar } from './answer-car.js';
import { answerLaw } from './answer-law.js';
import type { AskCase, AskParts } from './answer-parts.js';
import { answerRoad } from './answer-road.js';
import { answerSign } from './answer-sign.js';
import { answerWhy } from './answer-why.js';
import { askTexts, levelOneMaxChars } from './ask-texts.js';
import { type CurrentState, currentState, type GivenState } from './current-state.js';
import type { AskIntent, AskLanguage } from './lexicon/intents.js';
import { readIntent } from './question-intent.js';

export interface DriverQuestion {
  readonly question: string;
  /** of the answer; null = of the question */
  readonly language: AskLanguage | null;
  readonly units: AskCase['units'];
  readonly given: GivenState;
  /** trouble codes that the caller names */
  readonly codes: readonly string[];
  /** ISO date */
  readonly asOf: string;
}

export interface AskMeans {
  /** of the audit store */
  readonly stateDir: string;
  readonly ask: AskExpert;
  readonly socketPath: string;
  /** null: level 2 stays as the templates have it */
  readonly rephraser: Rephraser | null;
}

export interface DriverAnswer extends AskParts {
  readonly intent: AskIntent;
  readonly matched: readonly string[];
  readonly language: AskLanguage;
  readonly state: CurrentState;
  readonly rephrased: 'off' | 'used' | 'refused';
  /** for people: why a rephrasing was not used */
  readonly rephraseNote: string | null;
}

export async function answerDriver(
  { question, language, units, given, codes, asOf }: DriverQuestion,
  { stateDir, ask, socketPath, rephraser }: AskMeans,
  signal: AbortSignal,
  nowWallMs: number,
): Promise<DriverAnswer> {
  const read = readIntent(question, language);
  const state = await currentState(socketPath, given, signal);
  const texts = askTexts[read.language];
  const one: AskCase = {
    question,
    language: read.language,
    texts,
    state,
    units,
    asOf,
    nowWallMs,
    signal,
    ask,
  };
  const parts = await answerOf(read.intent, one, stateDir, codes);
  if (parts.level1.length > levelOneMaxChars) {
    throw new DriveMcpError('INVARIANT', `a first sentence of ${parts.level1.length} characters`);
  }
  const notes = [...state.notes, ...parts.notes];
  const answer: DriverAnswer = {
    ...parts,
    level2: parts.level2.slice(0, 3),
    intent: read.intent,
    matched: read.matched,
    language: read.language,
    state,
    notes,
    rephrased: 'off',
    rephraseNote: null,
  };
  return rephraser === null || answer.level2.length === 0 ? answer : rephrase(answer, rephraser, signal);
}

function answerOf(
  intent: AskIntent,
  one: AskCase,
  stateDir: string,
  codes: readonly string[],
): Promise<AskParts> {
  switch (intent) {
    case 'law':
      return answerLaw(one);
    case 'road':
      return answerRoad(one);
    case 'car':
      return answerCar(one, codes);
    case 'sign':
      return answerSign(one);
    case 'why':
      return answerWhy(one, stateDir);
  }
}

/** Only level 2, and only where nothing in it is new; else the text of the templates stands. */
async function rephrase(
  answer: DriverAnswer,
  rephraser: Rephraser,
  signal: AbortSignal,
): Promise<DriverAnswer> {
  const text = answer.level2.join(' ');
  try {
    const offered = await rephraser(text, answer.language, signal);
    const problem = checkRephrasing(text, offered);
    if (problem === null) return { ...answer, level2: [offered.trim()], rephrased: 'used' };
    return { ...answer, rephrased: 'refused', rephraseNote: `the rephrasing was refused: ${problem}` };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DriveMcpError)) throw error;
    return { ...answer, rephrased: 'refused', rephraseNote: shownText(error.message, 200) };
  }
}
