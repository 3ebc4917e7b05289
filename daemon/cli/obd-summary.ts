/** What a log says about each control unit, in a table. */
import { printable } from '../runtime/printable.js';
import type { DiagnosticMessage } from '../vehicles/diagnostics/diagnostic-message.js';
import { columns } from './table.js';

interface UnitRow {
  readonly bus: string;
  readonly unit: string;
  requests: number;
  answers: number;
  refused: number;
  vin: string | null;
  /** by code, its newest state */
  readonly codes: Map<string, string>;
  readonly errors: Map<string, number>;
}

/** Units and codes of a unit that are listed; the rest is counted in one row, or as a number. */
const mostUnits = 256;
const mostCodes = 64;
const shownCodes = 8;

export class UnitSummary {
  messages = 0;
  readonly #units = new Map<string, UnitRow>();

  add(message: DiagnosticMessage): void {
    this.messages++;
    const row = this.#row(message);
    if (message.error !== undefined) {
      row.errors.set(message.error, (row.errors.get(message.error) ?? 0) + 1);
    }
    if (message.raw.length > 0) {
      if (message.isRequest) row.requests++;
      else row.answers++;
    }
    if (message.nrc !== undefined) row.refused++;
    if (typeof message.vin === 'string') row.vin = message.vin;
    for (const { code, ftb, state } of message.dtcs ?? []) {
      const name = ftb === undefined ? code : `${code}-${ftb}`;
      if (row.codes.has(name) || row.codes.size < mostCodes) row.codes.set(name, state);
    }
  }

  lines(width: number): string[] {
    const rows = [...this.#units.values()].map((row) => {
      const codes = [...row.codes].map(([code, state]) => `${code} ${state.replaceAll('_', ' ')}`);
      const more = codes.length > shownCodes ? `, ${codes.length - shownCodes} more` : '';
      return [
        row.bus === '' ? '-' : printable(row.bus),
        row.unit,
        String(row.requests),
        String(row.answers),
        String(row.refused),
        row.vin ?? '-',
        [...row.errors].map(([kind, number]) => `${kind} ${number}`).join(', ') || '-',
        codes.slice(0, shownCodes).join(', ') + more || '-',
      ];
    });
    return columns(
      [['bus', 'unit', 'requests', 'answers', 'refused', 'VIN', 'errors', 'codes'], ...rows],
      ['left', 'left', 'right', 'right', 'right', 'left', 'left', 'left'],
      width,
    );
  }

  #row({ bus, ecu, pgn }: DiagnosticMessage): UnitRow {
    const name = ecu === null ? 'all' : pgn === undefined ? ecu : `J1939 ${ecu}`;
    const key = `${bus} ${name}`;
    const known = this.#units.get(key);
    if (known !== undefined) return known;
    return this.#units.size < mostUnits ? this.#enter(key, bus, name) : this.#enter('', '…', 'others');
  }

  #enter(key: string, bus: string, unit: string): UnitRow {
    const known = this.#units.get(key);
    if (known !== undefined) return known;
    const row: UnitRow = {
      bus,
      unit,
      requests: 0,
      answers: 0,
      refused: 0,
      vin: null,
      codes: new Map(),
      errors: new Map(),
    };
    this.#units.set(key, row);
    return row;
  }
}
