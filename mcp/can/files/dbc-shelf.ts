import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { compilePlan } from '../../../daemon/vehicles/dbc/compile-plan.js';
import type { DecodePlan } from '../../../daemon/vehicles/dbc/decode-plan.js';
import { parseDbc } from '../../../daemon/vehicles/dbc/parse-dbc.js';
import type { DbcFile } from '../../../daemon/vehicles/profile/dbc-set.js';
import type { FileFolders } from './file-folders.js';

/** Three times the largest public database; reading it takes a second. */
const dbcMaxBytes = 16 * 1024 * 1024;
/** A conversation is about a few files. */
const shelfMaxCount = 4;

export interface ShelvedDbc extends DbcFile {
  readonly identity: string;
}

/** DBC files as they were read last, so that a conversation about a file reads it once. */
export class DbcShelf {
  readonly #folders: FileFolders;
  /** by name, the newest last */
  readonly #read = new Map<string, ShelvedDbc>();

  constructor(folders: FileFolders) {
    this.#folders = folders;
  }

  /** @throws DriveMcpError TOOL_FILE_OUTSIDE, TOOL_FILE_TOO_LARGE, FILE_MISSING, FILE_UNREADABLE */
  async read(name: string): Promise<ShelvedDbc> {
    const file = await this.#folders.open(name, dbcMaxBytes);
    try {
      const known = this.#read.get(name);
      this.#read.delete(name);
      if (known?.identity === file.identity) {
        this.#read.set(name, known);
        return known;
      }
      const bytes = Buffer.alloc(file.sizeBytes);
      const { bytesRead } = await file.handle.read(bytes, 0, bytes.length, 0);
      const content = bytes.subarray(0, bytesRead);
      const sha256 = createHash('sha256').update(content).digest('hex');
      const parsed = parseDbc(content, name);
      const shelved = { path: name, name: basename(name), sha256, identity: file.identity, ...parsed };
      this.#read.set(name, shelved);
      for (const oldest of this.#read.keys()) {
        if (this.#read.size <= shelfMaxCount) break;
        this.#read.delete(oldest);
      }
      return shelved;
    } finally {
      await file.close();
    }
  }

  /**
   * One plan over several files; of messages with the same identifier the last file's counts.
   * @throws DriveMcpError as `read`, and DBC_INVALID where a file has no usable message
   */
  async plan(
    names: readonly string[],
  ): Promise<{ readonly plan: DecodePlan; readonly files: readonly ShelvedDbc[] }> {
    const files: ShelvedDbc[] = [];
    for (const name of names) {
      const file = await this.read(name);
      if (file.database.messages.length === 0) {
        const first = file.diagnostics[0];
        throw new DriveMcpError('DBC_INVALID', first?.message ?? 'the file defines no message', {
          location: { file: name, ...(first ? { line: first.line, column: first.column } : {}) },
          hint: 'can_dbc_check lists every finding with line and column',
        });
      }
      files.push(file);
    }
    return { plan: compilePlan(files.map(({ database }) => database)), files };
  }
}
