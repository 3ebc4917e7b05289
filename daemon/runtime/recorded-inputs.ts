import { DriveMcpError } from '../core/errors.js';
import type { TickInputs } from '../core/tick.js';
import { factShape, misfit, type Shape } from '../record/record-shape.js';

const headShape: Shape = {
  tick: 'number',
  tUs: 'number',
  wallMs: 'number',
  lateUs: 'number',
  missedTicks: 'number',
  store: 'object',
  actAuthorised: 'boolean',
};
const storeShape: Shape = { healthy: 'boolean', durableTick: 'number', lagUs: 'number' };
const listShapes: Readonly<Record<string, Shape>> = {
  signals: { path: 'string', value: 'number or null', observedAtUs: 'number', changes: 'number' },
  facts: factShape,
  answers: {
    requestId: 'string',
    tool: 'string',
    status: 'string',
    latencyUs: 'number',
    payload: 'object or null',
  },
  sources: { name: 'string', kind: 'string', required: 'boolean', state: 'string' },
  commands: { kind: 'string' },
};

/**
 * Inputs out of a file are data like any other: before the core sees them they must have the shape that a
 * running daemon would have given them.
 * @throws DriveMcpError RECORDING_INVALID with tick and key
 */
export function checkRecordedInputs(inputs: TickInputs, file: string): void {
  const record = inputs as unknown as Record<string, unknown>;
  const problem =
    misfit(record, headShape) ?? misfit(record['store'], storeShape, 'store') ?? listMisfit(record);
  const isOrdered = Number.isSafeInteger(inputs.tick) && inputs.tick >= 0;
  if (problem === null && isOrdered) return;
  throw new DriveMcpError('RECORDING_INVALID', `the inputs of tick ${inputs.tick} are no inputs`, {
    location: { file, key: problem ?? 'tick' },
    hint: 'this recording was not written by drivemcp, or was changed afterwards',
  });
}

function listMisfit(record: Record<string, unknown>): string | null {
  for (const list in listShapes) {
    const items = record[list] as readonly unknown[];
    for (let i = 0; i < items.length; i++) {
      const problem = misfit(items[i], listShapes[list]!, `${list}[${i}]`);
      if (problem !== null) return problem;
    }
  }
  return null;
}
