/** Which kind of limit an answer speaks of, from the words around the number. */
import * as kinds from './kind-phrases.js';
import type { LimitKind } from './parsed-answer.js';

export function limitKind(text: string, question: 'speed_sign' | 'gantry', isMinimum: boolean): LimitKind {
  if (kinds.endedAll.test(text)) return 'end_all';
  if (kinds.ended.test(text)) return 'end';
  if (kinds.national.test(text)) return 'national';
  const hasRing = kinds.redRing.test(text);
  if (question === 'gantry') {
    if (!hasRing && (kinds.amberLanterns.test(text) || kinds.advisory.test(text))) return 'advisory';
    return 'variable';
  }
  if (isMinimum) return 'min';
  if (!hasRing && kinds.advisory.test(text)) return 'advisory';
  return kinds.variableSign.test(text) && !kinds.fixedSign.test(text) ? 'variable' : 'max';
}
