/** `hil cockpit watch`: a table that redraws itself on a terminal, a line a value in a pipe. */
import { areaOf, type Config, printable } from './cockpit-table.js';
import { columns } from './table.js';
import type { Terminal } from './terminal.js';

interface Value {
  readonly prop: string;
  readonly area: number;
  readonly value: unknown;
  readonly t_s: number;
}

export class CockpitWatch {
  readonly #terminal: Terminal;
  readonly #configs: readonly Config[];
  readonly #latest = new Map<string, Value>();
  readonly #isScreen: boolean;

  constructor(terminal: Terminal, configs: readonly Config[]) {
    this.#terminal = terminal;
    this.#configs = configs;
    this.#isScreen = !terminal.json && process.stdout.isTTY === true;
  }

  show(values: readonly Value[]): void {
    for (const value of values) {
      if (this.#terminal.json) this.#terminal.object(value);
      else if (this.#isScreen) this.#latest.set(`${value.prop}@${value.area}`, value);
      else this.#line(value);
    }
    if (this.#isScreen) this.#draw();
    this.#terminal.flush();
  }

  #line(value: Value): void {
    const area = areaOf(value, this.#configs);
    const where = area === '' ? value.prop : `${value.prop}@${area}`;
    this.#terminal.line(
      `${value.t_s.toFixed(2).padStart(9)} s  ${where.padEnd(44)} ${printable(value, this.#configs)}`,
    );
  }

  #draw(): void {
    const rows = [...this.#latest.values()].map((value) => [
      value.prop,
      areaOf(value, this.#configs),
      printable(value, this.#configs),
      value.t_s.toFixed(2),
    ]);
    const lines = columns(
      [['property', 'area', 'value', 'since s'], ...rows],
      ['left', 'left', 'left', 'right'],
      this.#terminal.columns,
    );
    const height = Math.max(5, (process.stdout.rows ?? 40) - 1);
    const shown = lines.length <= height ? lines : lines.slice(0, height - 1);
    if (shown.length < lines.length)
      shown.push(`… ${lines.length - shown.length} more; a larger terminal or --json`);
    this.#terminal.screen(shown);
  }
}
