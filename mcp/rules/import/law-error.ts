import { DriveMcpError, type ErrorCode } from '../../../daemon/core/errors.js';

/** Where something stands in an XML file; both count from 1, columns in characters. */
export interface XmlPlace {
  readonly line: number;
  readonly column: number;
}

/** An error about a file of law, at its place. @param hint where a better one than the table's is known */
export function lawError(
  code: Extract<ErrorCode, `LAW_${string}`>,
  message: string,
  file: string,
  place?: XmlPlace,
  hint?: string,
): DriveMcpError {
  return new DriveMcpError(code, message, {
    location: { file, ...(place ? { line: place.line, column: place.column } : {}) },
    ...(hint === undefined ? {} : { hint }),
  });
}
