/** Trust on first use: which tool list each expert had when it was first asked, in the state directory. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ToolName } from '../../core/tick.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const pinFileSchema = z.strictObject({
  version: z.literal(1),
  pins: z.record(z.string().max(200), z.strictObject({ command: z.string().max(8192), sha256: hash })),
});

const maxChars = 65_536;

export class PinFile {
  readonly path: string;
  #pins: z.infer<typeof pinFileSchema>['pins'] = {};
  /** what was wrong with the file, or null; nothing is trusted from a damaged one */
  readonly problem: string | null;

  constructor(stateDir: string) {
    this.path = join(stateDir, 'expert-tools.json');
    this.problem = this.#read();
  }

  /** The hash that this program was first seen with; null where it never was, or was another program. */
  pinned(tool: ToolName, command: string): string | null {
    const pin = this.#pins[tool];
    return pin?.command === command ? pin.sha256 : null;
  }

  /** Keeps it; returns what kept it from being written, or null. */
  trust(tool: ToolName, command: string, sha256: string): string | null {
    this.#pins = { ...this.#pins, [tool]: { command, sha256 } };
    const text = `${JSON.stringify({ version: 1, pins: this.#pins }, null, 2)}\n`;
    try {
      rmSync(`${this.path}.new`, { force: true });
      writeFileSync(`${this.path}.new`, text, { mode: 0o640, flag: 'wx', flush: true });
      renameSync(`${this.path}.new`, this.path);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  #read(): string | null {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : (error as Error).message;
    }
    try {
      this.#pins = pinFileSchema.parse(text.length > maxChars ? null : JSON.parse(text)).pins;
      return null;
    } catch {
      return 'it is no list of pinned tools';
    }
  }
}
