/** A simulated ELM327 adapter with simulated control units behind it, on TCP or on a pseudo-terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server, type Socket } from 'node:net';
import type { Test } from 'tap';
import { rightAnswer } from '../../hil/ecu/ecu-answers.js';
import type { EcuScript } from '../../hil/ecu/ecu-script.js';

export interface AdapterQuirks {
  /** AT commands that are answered with a question mark */
  readonly refuses?: readonly string[];
  readonly identity?: string;
  readonly voltage?: string;
  /** protocol as AT DPN tells it */
  readonly protocol?: string;
  /** text instead of the answers to a request, by its bytes */
  readonly says?: Readonly<Record<string, string>>;
  /** the n-th request from which on the line is cut in the middle of the answer */
  readonly dropsAtRequest?: number;
  /** prints no prompt after this request */
  readonly hangsOn?: string;
}

export class ElmAdapter {
  /** everything it was told, in order */
  readonly commands: string[] = [];
  onDrop: () => void = () => {};
  #requests = 0;
  #input = '';
  #hasEcho = true;
  #hasBlanks = true;
  #hasHeaders = false;
  #header = '7DF';

  constructor(
    readonly script: EcuScript,
    readonly quirks: AdapterQuirks,
    readonly print: (text: string) => void,
  ) {}

  receive(text: string): void {
    this.#input += text;
    for (let end = this.#input.indexOf('\r'); end >= 0; end = this.#input.indexOf('\r')) {
      const line = this.#input
        .slice(0, end)
        .replace(/[\s\0]/g, '')
        .toUpperCase();
      this.#input = this.#input.slice(end + 1);
      if (line !== '') this.commands.push(line);
      if (line === this.quirks.hangsOn) continue;
      const echo = this.#hasEcho ? `${line}\r` : '';
      const reply = line === '' ? '' : line.startsWith('AT') ? this.#at(line) : this.#ask(line);
      if (reply === null) {
        this.print(`${echo}7E8064100BE`);
        this.onDrop();
        return;
      }
      this.print(`${echo}${reply}\r\r>`);
    }
  }

  #at(command: string): string {
    if (this.quirks.refuses?.includes(command) === true) return '?';
    if (command === 'ATZ') {
      this.#hasEcho = true;
      this.#hasBlanks = true;
      this.#hasHeaders = false;
      return `\r${this.quirks.identity ?? 'ELM327 v1.5'}`;
    }
    if (command === 'ATI') return this.quirks.identity ?? 'ELM327 v1.5';
    if (command === 'ATRV') return this.quirks.voltage ?? '14.1V';
    if (command === 'ATDPN') return this.quirks.protocol ?? 'A6';
    if (command === 'ATE0') this.#hasEcho = false;
    if (command === 'ATS0') this.#hasBlanks = false;
    if (command === 'ATH1') this.#hasHeaders = true;
    if (command.startsWith('ATSH')) this.#header = command.slice(4);
    return 'OK';
  }

  #ask(text: string): string | null {
    this.#requests++;
    if (this.#requests === this.quirks.dropsAtRequest) return null;
    const said = this.quirks.says?.[text];
    if (said !== undefined) return said;
    const request = Buffer.from(text, 'hex');
    const search = this.#requests === 1 ? 'SEARCHING...\r' : '';
    const lines = this.script.ecus.flatMap((ecu) => {
      const id = Number.parseInt(ecu.answer, 16);
      const isAsked =
        this.#header === '7DF' ||
        this.#header === 'DB33F1' ||
        (ecu.answer.length === 3
          ? Number.parseInt(this.#header, 16) === id - 8
          : this.#header === `DA${ecu.answer.slice(6)}F1`);
      const payload = isAsked ? rightAnswer(ecu, request) : null;
      return payload === null ? [] : this.#lines(ecu.answer, payload);
    });
    return search + (lines.length === 0 ? 'NO DATA' : lines.join('\r'));
  }

  #lines(answer: string, payload: Uint8Array): string[] {
    const bytes = [...payload];
    if (!this.#hasHeaders) {
      if (bytes.length <= 7) return [this.#hex(bytes)];
      const lines = [bytes.length.toString(16).toUpperCase().padStart(3, '0')];
      for (let at = 0, n = 0; at < bytes.length; at += n++ === 0 ? 6 : 7)
        lines.push(
          `${(n & 15).toString(16).toUpperCase()}:${this.#hex(bytes.slice(at, at + (n === 0 ? 6 : 7)))}`,
        );
      return lines;
    }
    const head = answer.length === 3 ? answer : this.#hex([...Buffer.from(answer, 'hex')]);
    const line = (frame: number[]) => head + (this.#hasBlanks ? ' ' : '') + this.#hex(frame);
    if (bytes.length <= 7) return [line([bytes.length, ...bytes])];
    const frames = [[0x10 | (bytes.length >> 8), bytes.length & 255, ...bytes.slice(0, 6)]];
    for (let at = 6, n = 1; at < bytes.length; at += 7, n++)
      frames.push([0x20 | (n & 15), ...bytes.slice(at, at + 7), ...Array<number>(7).fill(0xaa)].slice(0, 8));
    return frames.map(line);
  }

  #hex(bytes: readonly number[]): string {
    return bytes
      .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
      .join(this.#hasBlanks ? ' ' : '');
  }
}

/** On a TCP port of this machine; returns `tcp://…`. */
export async function onTcp(
  t: Test,
  script: EcuScript,
  quirks: AdapterQuirks,
): Promise<{ where: string; adapter(): ElmAdapter | null }> {
  let adapter: ElmAdapter | null = null;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.setEncoding('latin1');
    socket.on('error', () => {});
    adapter = new ElmAdapter(script, quirks, (text) => socket.write(text, 'latin1'));
    adapter.onDrop = () => socket.end();
    const it = adapter;
    socket.on('data', (text: string) => it.receive(text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { where: `tcp://127.0.0.1:${port}`, adapter: () => adapter };
}

const ptyScript = `
import os, pty, sys, threading, tty
master, slave = pty.openpty()
tty.setraw(slave)
sys.stderr.write(os.ttyname(slave) + "\\n"); sys.stderr.flush()
def up():
    while True:
        data = os.read(0, 4096)
        if not data: os._exit(0)
        os.write(master, data)
threading.Thread(target=up, daemon=True).start()
while True:
    data = os.read(master, 4096)
    if not data: break
    os.write(1, data)
`;

/** On a pseudo-terminal that a child process holds: ending it is pulling the plug. */
export async function onPty(
  t: Test,
  script: EcuScript,
  quirks: AdapterQuirks,
): Promise<{ where: string; adapter: ElmAdapter; unplug(): void }> {
  const child: ChildProcess = spawn('python3', ['-c', ptyScript], { stdio: ['pipe', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  const adapter = new ElmAdapter(script, quirks, (text) => child.stdin?.write(text, 'latin1'));
  adapter.onDrop = () => child.kill('SIGKILL');
  child.stdin?.on('error', () => {});
  child.stdout?.setEncoding('latin1');
  child.stdout?.on('data', (text: string) => adapter.receive(text));
  const where = await new Promise<string>((resolve) =>
    child.stderr?.on('data', (bytes: Buffer) => resolve(bytes.toString().trim())),
  );
  return { where, adapter, unplug: () => child.kill('SIGKILL') };
}
