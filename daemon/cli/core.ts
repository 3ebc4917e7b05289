import { DriveMcpError, formatLocation } from '../core/errors.js';
import type { CommandSpec, Invocation } from './command.js';
import { evalVector } from './core-eval/eval-vector.js';
import { readVectors } from './core-eval/read-vectors.js';
import { resultTable } from './core-eval/result-table.js';

const evalCommand: CommandSpec = {
  path: ['core', 'eval'],
  summary: 'compute the vectors of a file with the decision core',
  positionals: 'FILE',
  arity: [1, 1],
  options: {},
  details: [
    'Reads the array `vectors` of a JSON file (- = standard input) and nothing else: expected values are',
    'never looked at. Kinds: a decision (no `kind`; printed for both presets), mu, speed_factor,',
    'target_speed, adaptation, trace, and the RSS distances lon_same, lon_same_asym, lon_opposite, lat,',
    'stop. "NaN" and "Infinity" as strings stand for those numbers.',
  ].join('\n'),
  examples: [
    ['drivemcp core eval arbiter_vectors.json', 'a table of decisions'],
    ['drivemcp core eval tick_vectors.json --json', 'one object a line, all digits'],
  ],
  run: async (invocation) => runEval(invocation),
};

/** Vectors that are wrong and named one by one; of more there is the number. */
const maxFindings = 20;

export const commands: readonly CommandSpec[] = [evalCommand];

/** Every vector is computed or named with what is wrong with it; one that is wrong makes the exit code 78. */
function runEval({ positionals, terminal }: Invocation): number {
  const file = positionals[0] ?? '';
  const vectors = readVectors(file);
  const tables = new Map<string, Record<string, unknown>[]>();
  let firstError: DriveMcpError | null = null;
  let failed = 0;
  for (const vector of vectors) {
    try {
      const { kind, results } = evalVector(vector);
      if (terminal.json) for (const result of results) terminal.object(result);
      else {
        const rows = tables.get(kind) ?? [];
        rows.push(...results);
        tables.set(kind, rows);
      }
    } catch (error) {
      if (!(error instanceof DriveMcpError)) throw error;
      failed++;
      firstError ??= error;
      if (failed > maxFindings) continue;
      terminal.message(`drivemcp: ${formatLocation({ ...error.location, file })}: ${error.message}`);
    }
  }
  if (failed > maxFindings)
    terminal.message(`drivemcp: and ${failed - maxFindings} more vectors that are wrong`);
  for (const [kind, results] of tables) {
    terminal.line(terminal.style(kind, 'bold'));
    for (const line of resultTable(kind, results)) terminal.line(`  ${line}`);
  }
  if (!terminal.json) terminal.line(`${vectors.length - failed} of ${vectors.length} vectors computed`);
  if (firstError !== null) {
    throw new DriveMcpError(
      'VECTORS_INVALID',
      `${failed} of ${vectors.length} vectors could not be computed`,
      {
        location: { ...firstError.location, file },
      },
    );
  }
  return 0;
}
