import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { drivemcpScript } from '../helpers/paths.js';

export interface Answer {
  readonly id?: number | null;
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client that writes what it likes, line by line, to a server of an older revision. */
export class RawStdio {
  readonly child: ChildProcessWithoutNullStreams;
  readonly answers = new Map<number, Answer>();
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #nextId = 1;

  constructor(t: Pick<Test, 'teardown'>, args: readonly string[]) {
    this.child = spawn(process.execPath, [drivemcpScript, 'mcp', ...args]);
    this.child.stderr.resume();
    this.child.stdin.on('error', () => {});
    t.teardown(() => this.child.kill('SIGKILL'));
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      if (typeof answer.id !== 'number') return;
      this.answers.set(answer.id, answer);
      this.#waiting.get(answer.id)?.(answer);
    });
  }

  async open(): Promise<void> {
    await this.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'hostile', version: '0' },
    });
    this.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  write(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  /** Sends a request and gives its id at once. */
  send(method: string, params: unknown): number {
    const id = this.#nextId++;
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return id;
  }

  answer(id: number): Promise<Answer> {
    const known = this.answers.get(id);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  ask(method: string, params: unknown): Promise<Answer> {
    return this.answer(this.send(method, params));
  }

  call(name: string, args: unknown): Promise<Answer> {
    return this.ask('tools/call', { name, arguments: args });
  }

  /** Largest memory that the process ever had, in MB. */
  peakMb(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }
}
