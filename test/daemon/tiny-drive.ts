import { join } from 'node:path';
import type { Test } from 'tap';

/** A car of two signals and a minute's piece of its bus, made here: small enough to read. */

export const tinyDbc = `VERSION ""
NS_ :
BS_:
BU_: ESP
BO_ 256 MOTION: 8 ESP
 SG_ VehicleSpeed : 0|16@1+ (0.01,0) [0|300] "km/h" Vector__XXX
 SG_ BrakePressed : 16|1@1+ (1,0) [0|1] "" Vector__XXX
CM_ SG_ 256 VehicleSpeed "Vehicle speed";
CM_ SG_ 256 BrakePressed "Brake pedal pressed";
`;

export const tinyProfile = JSON.stringify({
  profile: 1,
  name: 'tiny',
  dbc: [{ file: 'tiny.dbc' }],
  signals: {
    'MOTION.VehicleSpeed': { vss: 'Vehicle.Speed', period_ms: 20, required: true },
    'MOTION.BrakePressed': { vss: 'Vehicle.Chassis.Brake.IsBrakePedalPressed', period_ms: 20 },
  },
});

/** One frame as candump -L writes it. */
export function tinyFrame(tS: number, kmh: number): string {
  const raw = Math.round(kmh * 100);
  const hex = (byte: number) => byte.toString(16).padStart(2, '0').toUpperCase();
  return `(${tS.toFixed(6)}) can0 100#${hex(raw & 0xff)}${hex(raw >> 8)}000000000000\n`;
}

export interface TinyLog {
  readonly seconds: number;
  readonly startS?: number;
  readonly kmh?: (tS: number) => number;
}

/** 50 frames a second. */
export function tinyLog({ seconds, startS = 1_700_000_000, kmh = () => 50 }: TinyLog): string {
  let text = '';
  for (let i = 0; i < seconds * 50; i++) text += tinyFrame(startS + i / 50, kmh(i / 50));
  return text;
}

export function tinyFiles(log: TinyLog = { seconds: 4 }): Record<string, string> {
  return { 'tiny.dbc': tinyDbc, 'profile.json': tinyProfile, 'drive.log': tinyLog(log) };
}

/** What the tests read of a summary. */
export interface Summary {
  readonly run: string;
  readonly ticks: number;
  readonly decisions: { act: number; speak: number; none: number };
  readonly late_us: { p50: number; p99: number; max: number };
  readonly inputs_missing: readonly string[];
  readonly decision_hash: string;
  readonly audit_head: string;
  readonly modes: Record<string, number>;
  readonly recording: string;
  readonly act: { sink: string; released: number };
  readonly input: Record<string, number>;
  readonly ended_by?: string;
  readonly equal?: boolean;
  readonly first_difference?: number | null;
  readonly pinned?: string;
  readonly truncated?: boolean;
}

export function summaryOf(result: { objects(): Record<string, unknown>[]; stderr: string }): Summary {
  const last = result.objects().at(-1);
  if (!last || !('summary' in last)) throw new Error(`no summary: ${result.stderr}`);
  return last['summary'] as Summary;
}

/** A tiny drive in a folder of its own; runs in it by default go to the state directory `state`. */
export function tiny(t: Test, files = tinyFiles()) {
  const folder = t.testdir(files);
  const at = (...parts: string[]) => join(folder, ...parts);
  const state = ['--state', at('state')];
  const drive = ['--source', at('drive.log'), '--profile', folder, '--jurisdiction', 'DEU'];
  return { folder, at, state, drive };
}
