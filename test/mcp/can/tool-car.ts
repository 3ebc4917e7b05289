/** A folder with a small car: a DBC, logs, and the CAN tools over it. */
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../../daemon/core/tick.js';
import { openLog } from '../../../daemon/sources/logs/open-log.js';
import { canTools } from '../../../mcp/can/can-tools.js';
import type { ExpertTool, ToolContext } from '../../../mcp/shared/expert-tool.js';
import { fixture } from '../../helpers/paths.js';

export const nowWallMs = Date.UTC(2026, 10, 30, 12, 0, 0);
export const context: ToolContext = { signal: new AbortController().signal, nowWallMs };

export function carFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'can-tools-')), 'car');
  mkdirSync(folder);
  copyFileSync(fixture('vehicles', 'test-car.dbc'), join(folder, 'car.dbc'));
  return folder;
}

/** Frames of ESP_STATE every 10 ms, VEH_SPEED = raw / 100, with a pause of two seconds after `gapAfter`. */
export function writeLog(folder: string, name: string, raws: readonly number[], gapAfter = -1): void {
  const lines: string[] = [];
  let tMs = 0;
  const stamp = (ms: number): string =>
    `${1_700_000_000 + Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}000`;
  for (const [i, raw] of raws.entries()) {
    const data = `${raw.toString(16).padStart(4, '0')}000000000000`;
    lines.push(`(${stamp(tMs)}) can0 100#${data}`, `(${stamp(tMs + 1)}) can0 7FF#0102`);
    tMs += i === gapAfter ? 2000 : 10;
  }
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
}

export function toolsOver(
  folders: readonly string[],
  signalSocket: string | null = null,
): readonly ExpertTool[] {
  return canTools({ folders, openLog, signalSocket });
}

export function caller(tools: readonly ExpertTool[]) {
  return (name: string, args: object, given: ToolContext = context): Promise<JsonObject> => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool.call(args, given);
  };
}

export function list(value: JsonValue | undefined): JsonObject[] {
  return value as unknown as JsonObject[];
}

/** All entries of an answer that comes in pages. */
export async function allPages(
  ask: (cursor: string | undefined) => Promise<JsonObject>,
  member: string,
): Promise<{ entries: JsonObject[]; pages: number }> {
  const entries: JsonObject[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const answer = await ask(cursor);
    entries.push(...list(answer[member]));
    if (answer['next_cursor'] === null) return { entries, pages };
    cursor = answer['next_cursor'] as string;
  }
}
