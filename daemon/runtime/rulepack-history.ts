/** Which versions of the rulepacks decided when: a line whenever they are others than before. */
import { join } from 'node:path';
import type { JsonObject } from '../core/tick.js';
import { BoundedLog, type LogLines, readBoundedLog } from './bounded-log.js';

const fileName = 'rulepack-history.jsonl';

export function readRulepackHistory(stateDir: string): LogLines {
  return readBoundedLog(join(stateDir, fileName));
}

/** @param digests `rulepack:<id>` → version, as the head of a recording has them */
export async function rememberRulepacks(
  stateDir: string,
  moment: { readonly runId: string; readonly wallMs: number },
  digests: Readonly<Record<string, string>>,
  notice: (text: string) => void,
): Promise<void> {
  const packs: JsonObject = Object.fromEntries(
    Object.entries(digests)
      .filter(([key]) => key.startsWith('rulepack:'))
      .map(([key, version]): [string, string] => [key.slice('rulepack:'.length), version])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const last = readRulepackHistory(stateDir).lines.at(-1)?.['packs'];
  if (JSON.stringify(last) === JSON.stringify(packs)) return;
  const log = new BoundedLog(join(stateDir, fileName), notice);
  log.append({ v: 1, wall_ms: moment.wallMs, run: moment.runId, packs });
  await log.close();
}
