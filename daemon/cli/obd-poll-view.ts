/** What people see of polling: on a terminal a table that is drawn anew, elsewhere the lines of `obd decode`. */
import { printable } from '../runtime/printable.js';
import type { DiagnosticMessage } from '../vehicles/diagnostics/diagnostic-message.js';
import { answerRows } from './obd-answer.js';
import { messageJson, messageText } from './obd-lines.js';
import { columns } from './table.js';
import type { Terminal } from './terminal.js';

const drawEveryUs = 500_000;

interface Row {
  readonly ecu: string;
  readonly name: string;
  readonly value: string;
  readonly unit: string;
  readonly tUs: number;
}

export class PollView {
  readonly #terminal: Terminal;
  readonly #rows = new Map<string, Row>();
  readonly #isScreen: boolean;
  #drawnUs = Number.NEGATIVE_INFINITY;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#isScreen = !terminal.json && process.stdout.isTTY === true;
  }

  answer(tUs: number, message: DiagnosticMessage): void {
    if (!this.#isScreen) {
      this.#terminal.line(this.#terminal.json ? messageJson(message) : messageText(message));
      this.#terminal.flush();
      return;
    }
    const ecu = message.ecu ?? '';
    for (const row of answerRows(message)) this.#rows.set(`${ecu} ${row.name}`, { ecu, ...row, tUs });
  }

  turn(tUs: number): void {
    if (!this.#isScreen || tUs - this.#drawnUs < drawEveryUs) return;
    this.#drawnUs = tUs;
    const sorted = [...this.#rows.values()].sort((a, b) => a.ecu.localeCompare(b.ecu));
    const cells = sorted.map(({ ecu, name, value, unit, tUs: atUs }) => [
      ecu,
      printable(name),
      printable(value),
      printable(unit),
      ((tUs - atUs) / 1e6).toFixed(1),
    ]);
    const lines = columns(
      [['ecu', 'what', 'value', 'unit', 'age s'], ...cells],
      ['left', 'left', 'left', 'left', 'right'],
      this.#terminal.columns,
    );
    const height = Math.max(5, (process.stdout.rows ?? 40) - 1);
    const shown = lines.length <= height ? lines : lines.slice(0, height - 1);
    if (shown.length < lines.length)
      shown.push(`… ${lines.length - shown.length} more; a larger terminal or --json`);
    this.#terminal.screen(shown);
  }
}
