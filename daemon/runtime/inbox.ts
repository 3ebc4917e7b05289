/**
 * The daemon's side of its inbox: takes letters out of a folder a few times a second, beside the ticks, and hands them
 * to the next one. A letter counts once: it is removed before it is believed.
 */
import { constants } from 'node:fs';
import { mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperatorCommand } from '../core/tick.js';
import { inboxDir, inboxMaxCount, letterMaxBytes, letterSchema } from './inbox-letter.js';

const periodMs = 200;
/** Unfinished letters of a writer that died are removed after this long. */
const unfinishedMaxMs = 60_000;

export interface InboxOptions {
  readonly stateDir: string;
  readonly wallMs: () => number;
  readonly notice: (text: string) => void;
}

export class Inbox {
  readonly #options: InboxOptions;
  readonly #timer: NodeJS.Timeout;
  #commands: { readonly command: OperatorCommand; readonly wallMs: number }[] = [];
  #looking: Promise<void> | null = null;
  #told = new Set<string>();
  readonly count = { taken: 0, refused: 0 };

  constructor(options: InboxOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
    }, periodMs);
    this.#timer.unref();
  }

  /** Commands since the last call, oldest first, with how long ago they were given. */
  take(): OperatorCommand[] {
    if (this.#commands.length === 0) return [];
    const taken = this.#commands;
    this.#commands = [];
    const nowMs = this.#options.wallMs();
    return taken.map(({ command, wallMs }) => ({ ...command, ageUs: Math.max(0, nowMs - wallMs) * 1000 }));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const folder = inboxDir(this.#options.stateDir);
    try {
      await mkdir(folder, { mode: 0o750 }).catch(() => undefined);
      if (((await stat(folder)).mode & 0o002) !== 0) {
        this.#tell(`${folder} is not read: everybody may write it (chmod o-w)`);
        return;
      }
      const names = (await readdir(folder)).sort();
      for (const name of names) {
        if (this.#commands.length >= inboxMaxCount) return;
        if (name.startsWith('.')) await this.#sweep(join(folder, name));
        else await this.#open(join(folder, name));
      }
    } catch (error) {
      this.#tell(`the inbox cannot be read: ${(error as Error).message}`);
    }
  }

  async #open(path: string): Promise<void> {
    let text: string | null = null;
    try {
      // No link is followed and no pipe waited for: whoever may write here may not make us read elsewhere.
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const { size } = await file
          .stat()
          .then((found) => (found.isFile() ? found : { size: letterMaxBytes + 1 }));
        if (size <= letterMaxBytes) text = await file.readFile('utf8');
      } finally {
        await file.close();
      }
    } catch {
      // Refused below, like everything else that is no letter.
    }
    await unlink(path);
    const letter = letterSchema.safeParse(parsed(text));
    if (!letter.success) {
      this.count.refused++;
      this.#tell('something in the inbox was no letter of this program; it was removed');
      return;
    }
    const { kind, subject, value, note, id, wall_ms: wallMs } = letter.data;
    this.count.taken++;
    this.#commands.push({
      wallMs,
      command: {
        kind,
        id,
        ...(subject === undefined ? {} : { subject }),
        ...(value === undefined ? {} : { value }),
        ...(note === undefined ? {} : { note }),
      },
    });
  }

  async #sweep(path: string): Promise<void> {
    const { mtimeMs } = await stat(path);
    if (Math.abs(this.#options.wallMs() - mtimeMs) > unfinishedMaxMs) await unlink(path);
  }

  #tell(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#options.notice(text);
  }
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
