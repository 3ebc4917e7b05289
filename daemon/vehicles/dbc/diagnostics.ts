/** Findings about a DBC file, with a place. Codes are stable; the text is for people. */

export type DbcSeverity = 'error' | 'warning' | 'info';

/**
 * Every code and its severity. `error`: something that decoding needs is lost. `warning`: the file breaks a
 * rule and the reader had to choose, or something that documents is lost. `info`: unusual, no effect.
 */
export const dbcCodes = {
  empty_file: 'error',
  no_messages: 'warning',
  not_text: 'error',
  file_too_large: 'error',
  too_many_errors: 'error',
  too_many_messages: 'error',
  too_many_signals: 'error',
  too_many_entries: 'error',
  unexpected_text: 'error',
  unexpected_end: 'error',
  unterminated_string: 'error',
  syntax_error: 'error',
  signal_without_message: 'error',
  statement_skipped: 'warning',
  missing_semicolon: 'warning',
  missing_final_newline: 'warning',
  invalid_number: 'warning',
  message_id_without_ext_flag: 'warning',
  message_id_out_of_range: 'warning',
  message_length_unusual: 'warning',
  duplicate_message: 'warning',
  duplicate_message_name: 'warning',
  duplicate_signal: 'warning',
  unknown_message: 'warning',
  unknown_signal: 'warning',
  unknown_node: 'info',
  unknown_value_table: 'warning',
  unknown_attribute: 'info',
  duplicate_value: 'warning',
  signal_outside_message: 'warning',
  signal_overlap: 'warning',
  signal_overlap_unchecked: 'info',
  signal_length_invalid: 'warning',
  float_length_mismatch: 'warning',
  scale_zero: 'warning',
  mux_mark_unusual: 'warning',
  mux_selector_missing: 'warning',
  mux_selector_ambiguous: 'warning',
  mux_selector_unmarked: 'info',
  mux_cycle: 'warning',
  mux_range_invalid: 'warning',
  name_not_identifier: 'info',
  name_too_long: 'warning',
  text_too_long: 'warning',
  diagnostics_truncated: 'info',
} as const satisfies Record<string, DbcSeverity>;

export type DbcCode = keyof typeof dbcCodes;

export interface DbcDiagnostic {
  /** from 1 */
  readonly line: number;
  /** from 1, in characters */
  readonly column: number;
  readonly severity: DbcSeverity;
  readonly code: DbcCode;
  readonly message: string;
}

export function hasErrors(diagnostics: readonly DbcDiagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}
