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
  readonly #rows: UnitRow[] = [];
  /** by bus, then by unit; those of J1939 apart */
  readonly #units = new Map<string, Map<string | null, UnitRow>>();
  readonly #heavyUnits = new Map<string, Map<string | null, UnitRow>>();
  #others: UnitRow | null = null;

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
    if (message.dtcs == null) return;
    for (const { code, ftb, state } of message.dtcs) {
      const name = ftb === undefined ? code : `${code}-${ftb}`;
      if (row.codes.has(name) || row.codes.size < mostCodes) row.codes.set(name, state);
    }
  }

  lines(width: number): string[] {
    const all = this.#others === null ? this.#rows : [...this.#rows, this.#others];
    const rows = all.map((row) => {
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

  /** Found without building a key: this runs for every message. */
  #row({ bus, ecu, pgn }: DiagnosticMessage): UnitRow {
    const byUnit = (pgn === undefined ? this.#units : this.#heavyUnits).get(bus);
    return byUnit?.get(ecu) ?? this.#enter(bus, ecu, pgn !== undefined);
  }

  #enter(bus: string, ecu: string | null, isHeavy: boolean): UnitRow {
    if (this.#rows.length >= mostUnits) {
      this.#others ??= newRow('…', 'others');
      return this.#others;
    }
    const row = newRow(bus, ecu === null ? 'all' : isHeavy ? `J1939 ${ecu}` : ecu);
    const units = isHeavy ? this.#heavyUnits : this.#units;
    const byUnit = units.get(bus) ?? new Map<string | null, UnitRow>();
    units.set(bus, byUnit.set(ecu, row));
    this.#rows.push(row);
    return row;
  }
}

function newRow(bus: string, unit: string): UnitRow {
  return {
    bus,
    unit,
    requests: 0,
    answers: 0,
    refused: 0,
    vin: null,
    codes: new Map(),
    errors: new Map(),
  };
}
