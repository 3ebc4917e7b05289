/** Diagnostic trouble codes (SAE J2012 numbering) as health terms. */
import type { HealthTerm } from './health-score.js';
import type { HealthValues } from './indicators.js';

export const dtcStatuses = ['failing', 'confirmed', 'pending', 'history', 'never_tested'] as const;
export type DtcStatus = (typeof dtcStatuses)[number];

export interface TroubleCode {
  /** e.g. `C0035`, five characters; of heavy vehicles `SPN 789 FMI 5` */
  readonly code: string;
  readonly status: DtcStatus;
  /** the control unit that reports it; the same code of one unit counts once however it was read */
  readonly ecu: string;
}

/**
 * Lost or invalid data of brake, steering and restraint units (J2012 U-codes): brake control U0121, U0129,
 * U0415, stability U0122–U0125, steering U0126, U0130, U0131, parking brake U0128, restraints U0151.
 */
const safetyNetworkCodes = new Set(
  'U0121 U0122 U0123 U0124 U0125 U0126 U0128 U0129 U0130 U0131 U0151 U0415 U0416 U0418 U0420 U0428 U0452'.split(
    ' ',
  ),
);

/** SAE J1939-71 parameters of brakes and steering: wheel sensors and valves 789–806, ABS 563 and 1438, angle and yaw 1807–1809. */
const isSafetyParameter = (spn: number): boolean =>
  (spn >= 789 && spn <= 806) || (spn >= 1807 && spn <= 1809) || spn === 563 || spn === 1438;

export function troubleCodeTerms(codes: readonly TroubleCode[], values: HealthValues): HealthTerm[] {
  const worst = new Map<string, HealthTerm>();
  for (const { code, status, ecu } of codes) {
    const source = `${ecu}:${code.toUpperCase()}`;
    const severity = dtcSeverity(status, values);
    const known = worst.get(source);
    if (known !== undefined && known.severity >= severity) continue;
    const weightRatio = dtcWeight(code.toUpperCase(), values);
    worst.set(source, { indicator: 'dtc', severity, weightRatio, source, isHeld: false });
  }
  return [...worst.values()];
}

function dtcSeverity(status: DtcStatus, values: HealthValues): number {
  switch (status) {
    case 'failing':
      return 1;
    case 'confirmed':
      return values.dtcConfirmedSeverityRatio;
    case 'pending':
      return values.dtcPendingSeverityRatio;
    case 'history':
      return values.dtcHistorySeverityRatio;
    case 'never_tested':
      return 0;
  }
}

/** Chassis codes and restraint codes (B00xx) are about safety; powertrain codes about going on driving. */
function dtcWeight(code: string, values: HealthValues): number {
  if (code.startsWith('SPN ')) {
    const spn = Number(code.split(' ')[1]);
    return isSafetyParameter(spn) ? values.dtcSafetyWeightRatio : values.dtcPowertrainWeightRatio;
  }
  if (code.startsWith('C') || code.startsWith('B00') || safetyNetworkCodes.has(code)) {
    return values.dtcSafetyWeightRatio;
  }
  return code.startsWith('P') ? values.dtcPowertrainWeightRatio : values.dtcOtherWeightRatio;
}
