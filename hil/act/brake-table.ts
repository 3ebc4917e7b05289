/** A calibration of one vehicle's brakes (`hil calibrate --out`), as it is read back for an intervention. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type BrakeCurve, measuredBrake } from '../../daemon/core/act/brake-curve.js';
import { DriveMcpError } from '../../daemon/core/errors.js';

const tableSchema = z.strictObject({
  version: z.string().min(1).max(100),
  blueprint: z.string().min(1).max(200),
  points: z
    .array(
      z.strictObject({
        pedal: z.number().gt(0).lte(1),
        decel_mps2: z.number().gt(0).lt(20),
      }),
    )
    .min(2)
    .max(100),
});

export interface BrakeTable {
  /** of the server it was measured at, as that calls itself */
  readonly version: string;
  readonly blueprint: string;
  readonly curve: BrakeCurve;
  /** first 12 digits of the file's SHA-256 */
  readonly digest: string;
}

/** @throws DriveMcpError BRAKE_TABLE_UNUSABLE with the place in the file */
export function readBrakeTable(text: string, fileName: string): BrakeTable {
  const unusable = (problem: string): DriveMcpError =>
    new DriveMcpError('BRAKE_TABLE_UNUSABLE', `${fileName}: ${problem}`);
  let held: unknown;
  try {
    held = JSON.parse(text);
  } catch (error) {
    throw unusable(error instanceof Error ? error.message : String(error));
  }
  const read = tableSchema.safeParse(held);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw unusable(`${issue?.path.join('.') || 'file'}: ${issue?.message}`);
  }
  const { version, blueprint, points } = read.data;
  for (const [i, { pedal }] of points.entries())
    if (i > 0 && pedal <= (points[i - 1]?.pedal ?? 0))
      throw unusable(`points.${i}.pedal: ${pedal} does not rise`);
  // Where the road gives no more, more pedal measures as the same, or a little less: the first of them is enough.
  const rising: { readonly share: number; readonly decelMps2: number }[] = [];
  for (const { pedal, decel_mps2 } of points)
    if (decel_mps2 > (rising.at(-1)?.decelMps2 ?? 0)) rising.push({ share: pedal, decelMps2: decel_mps2 });
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { version, blueprint, curve: measuredBrake(rising), digest };
}

/**
 * Holds a table to the ego it is to be used on: another blueprint brakes otherwise.
 * @returns what the user should know, null where there is nothing
 * @throws DriveMcpError BRAKE_TABLE_UNUSABLE for another blueprint
 */
export function matchBrakeTable(table: BrakeTable, blueprint: string, version: string): string | null {
  if (table.blueprint !== blueprint)
    throw new DriveMcpError(
      'BRAKE_TABLE_UNUSABLE',
      `the brake table is of ${table.blueprint.slice(0, 80)}, the ego is ${blueprint}`,
    );
  return table.version === version
    ? null
    : `the brake table was measured at version ${table.version}, this server says ${version}`;
}
