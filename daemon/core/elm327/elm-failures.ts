/** What an adapter says instead of an answer, or beside it. */

export const elmFailures = [
  'no_data',
  'can_error',
  'buffer_full',
  'unable_to_connect',
  'stopped',
  'bus_init',
  'bus_busy',
  'bus_error',
  'feedback_error',
  'data_error',
  'rx_error',
  'low_power',
  'reset',
  'adapter_error',
  'unknown_command',
  /** neither an answer nor a known word */
  'garbage',
] as const;
export type ElmFailure = (typeof elmFailures)[number];

/** Without blanks, as some adapters print them so; the longer words before those that they contain. */
const words: readonly (readonly [word: string, failure: ElmFailure])[] = [
  ['UNABLETOCONNECT', 'unable_to_connect'],
  ['BUFFERFULL', 'buffer_full'],
  ['NODATA', 'no_data'],
  ['CANERROR', 'can_error'],
  ['STOPPED', 'stopped'],
  ['BUSBUSY', 'bus_busy'],
  ['BUSERROR', 'bus_error'],
  ['FBERROR', 'feedback_error'],
  ['DATAERROR', 'data_error'],
  ['<RXERROR', 'rx_error'],
  ['RXERROR', 'rx_error'],
  ['ACTALERT', 'low_power'],
  ['LPALERT', 'low_power'],
  ['LVRESET', 'reset'],
  ['ELM327', 'reset'],
];

/** The failure that a line tells of, or null; `line` in capitals without blanks. */
export function failureIn(line: string): ElmFailure | null {
  if (line === '?') return 'unknown_command';
  if (/^ERR\d\d$/.test(line)) return 'adapter_error';
  // BUS INIT: OK is good news; anything else that ends in ERROR is not.
  if (line.startsWith('BUSINIT') && line.endsWith('ERROR')) return 'bus_init';
  return words.find(([word]) => line.includes(word))?.[1] ?? null;
}
