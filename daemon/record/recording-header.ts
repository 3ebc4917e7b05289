/** The head of a recording: what it is of, and with what it was made. */
import { DriveMcpError } from '../core/errors.js';

/** Layout of the container. A reader refuses a larger number; a smaller one it knows how to read. */
export const recordingFormat = 1;

export interface RecordingHeader {
  /**
   * `run`: inputs and decision hash of every tick of a daemon, replayable;
   * `drive`: frames and facts as they happened, something a daemon can be fed with
   */
  readonly kind: 'run' | 'drive';
  readonly productVersion: string;
  readonly runId: string;
  readonly description: string;
  readonly preset: string | null;
  readonly tickPeriodUs: number | null;
  /** true where every input was made by a simulator */
  readonly isSimulated: boolean;
  /** Unix ms of drive time 0, where known */
  readonly startWallMs: number | null;
  /** SHA-256 by what it is of: `params`, `config`, `source`, `profile`, `dbc:<file>`, `rulepack:<path>` */
  readonly digests: Readonly<Record<string, string>>;
  /** what else a replay needs to begin from the same state: parameters by value, vehicle and driver settings */
  readonly context?: Readonly<Record<string, unknown>>;
}

export function headerJson(header: RecordingHeader): string {
  return JSON.stringify({ format: recordingFormat, ...header });
}

/** Throws RECORDING_VERSION or RECORDING_INVALID. */
export function parseHeader(text: string, file: string): RecordingHeader {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(file, 'its head is not JSON', error);
  }
  if (typeof value !== 'object' || value === null) throw invalid(file, 'its head is not a JSON object');
  const head = value as Record<string, unknown>;
  const format = head['format'];
  if (typeof format !== 'number') throw invalid(file, 'its head names no format');
  if (format > recordingFormat) {
    throw new DriveMcpError(
      'RECORDING_VERSION',
      `recording format ${format}, this version reads up to ${recordingFormat}`,
      { location: { file } },
    );
  }
  if (head['kind'] !== 'run' && head['kind'] !== 'drive') throw invalid(file, 'its head names no kind');
  const words = (key: string) => (typeof head[key] === 'string' ? (head[key] as string) : '');
  const number = (key: string) => (typeof head[key] === 'number' ? (head[key] as number) : null);
  const context = head['context'];
  return {
    kind: head['kind'],
    productVersion: words('productVersion'),
    runId: words('runId'),
    description: words('description'),
    preset: typeof head['preset'] === 'string' ? head['preset'] : null,
    tickPeriodUs: number('tickPeriodUs'),
    isSimulated: head['isSimulated'] === true,
    startWallMs: number('startWallMs'),
    digests: isRecord(head['digests']) ? (head['digests'] as Record<string, string>) : {},
    ...(isRecord(context) ? { context } : {}),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(file: string, message: string, cause?: unknown): DriveMcpError {
  return new DriveMcpError('RECORDING_INVALID', message, { location: { file }, cause });
}
