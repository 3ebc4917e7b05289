/**
 * What control units have said about themselves: their code lists by service, lamps and monitors.
 *
 * A list replaces the list before of the same unit and service, so that a code that is no longer listed is gone;
 * a unit that falls silent keeps what it last said.
 */
import type { DtcStatus, TroubleCode } from './trouble-codes.js';

/** OBD services 03 stored, 07 pending, 0A permanent; UDS 19; J1939 DM1 active, DM2 earlier. */
export const dtcServices = ['03', '07', '0A', '19', 'DM1', 'DM2'] as const;
export type DtcService = (typeof dtcServices)[number];

export interface ListedCode {
  /** `P0301`, or `SPN 110 FMI 0` */
  readonly code: string;
  /** of UDS 19, where a status byte says it; null where the service says it */
  readonly status: DtcStatus | null;
}

/** Answer to OBD service 01, parameters 01, 30 and 31: what is known since codes were cleared. */
export interface MonitorState {
  readonly isMilOn: boolean | null;
  /** monitors that the car has and that have not run since codes were cleared */
  readonly incompleteCount: number | null;
  readonly warmUpsSinceClearCount: number | null;
  readonly distanceSinceClearM: number | null;
}

interface UnitMemory {
  readonly lists: { readonly [service in DtcService]?: readonly ListedCode[] };
  readonly monitors: MonitorState;
}

export interface DiagnosticMemory {
  /** by control unit */
  readonly units: { readonly [ecu: string]: UnitMemory };
}

export const initialDiagnosticMemory: DiagnosticMemory = { units: {} };

const unknownMonitors: MonitorState = {
  isMilOn: null,
  incompleteCount: null,
  warmUpsSinceClearCount: null,
  distanceSinceClearM: null,
};

/** Units remembered; a log of made-up answers must not fill the memory. */
export const unitsMaxCount = 256;
/** Codes kept of one list; a control unit has tens of them. */
export const codesMaxCount = 500;

export function rememberCodes(
  memory: DiagnosticMemory,
  ecu: string,
  service: DtcService,
  codes: readonly ListedCode[],
): DiagnosticMemory {
  return withUnit(memory, ecu, (unit) => ({
    ...unit,
    lists: { ...unit.lists, [service]: codes.slice(0, codesMaxCount) },
  }));
}

/** @param news members that were not read are left out */
export function rememberMonitors(
  memory: DiagnosticMemory,
  ecu: string,
  news: Partial<MonitorState>,
): DiagnosticMemory {
  return withUnit(memory, ecu, (unit) => ({ ...unit, monitors: { ...unit.monitors, ...news } }));
}

function withUnit(
  memory: DiagnosticMemory,
  ecu: string,
  change: (unit: UnitMemory) => UnitMemory,
): DiagnosticMemory {
  const known = Object.hasOwn(memory.units, ecu) ? memory.units[ecu] : undefined;
  if (known === undefined && Object.keys(memory.units).length >= unitsMaxCount) return memory;
  const unit = known ?? { lists: {}, monitors: unknownMonitors };
  return { units: { ...memory.units, [ecu]: change(unit) } };
}

/**
 * All codes with how they stand. A code that one unit lists under several services appears once for each;
 * scoring takes the worst. Undefined = no list was ever read, which is not the same as none.
 */
export function troubleCodesOf(memory: DiagnosticMemory): readonly TroubleCode[] | undefined {
  let isRead = false;
  const found: TroubleCode[] = [];
  for (const [ecu, { lists }] of Object.entries(memory.units)) {
    for (const service of dtcServices) {
      const codes = lists[service];
      if (codes === undefined) continue;
      isRead = true;
      for (const { code, status } of codes) found.push({ code, ecu, status: status ?? statusBy[service] });
    }
  }
  return isRead ? found : undefined;
}

/** A stored code is confirmed, not necessarily failing now; DM1 lists what is active. */
const statusBy: Readonly<Record<DtcService, DtcStatus>> = {
  '03': 'confirmed',
  '07': 'pending',
  '0A': 'history',
  '19': 'confirmed',
  DM1: 'failing',
  DM2: 'history',
};

/** Up to so many warm-ups, and up to this distance, after clearing a missing monitor means little (practice). */
export const clearedLimits = { warmUpsCount: 10, distanceM: 100_000 } as const;

/**
 * Units whose clean bill means little: they list no code, but their monitors have not run since somebody cleared
 * them. Where warm-ups or distance since then are known and large, the monitors are late for other reasons.
 */
export function recentlyClearedUnits(memory: DiagnosticMemory, limits = clearedLimits): string[] {
  const cleared: string[] = [];
  for (const [ecu, { lists, monitors }] of Object.entries(memory.units)) {
    const { incompleteCount, warmUpsSinceClearCount, distanceSinceClearM } = monitors;
    if (incompleteCount === null || incompleteCount === 0) continue;
    if ((lists['03']?.length ?? 0) > 0 || (lists['19']?.length ?? 0) > 0) continue;
    const isLongAgo =
      (warmUpsSinceClearCount !== null && warmUpsSinceClearCount > limits.warmUpsCount) ||
      (distanceSinceClearM !== null && distanceSinceClearM > limits.distanceM);
    if (!isLongAgo) cleared.push(ecu);
  }
  return cleared.sort();
}
