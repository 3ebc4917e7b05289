/** Diagnostic answers as health takes them: code lists, monitors, and values under their VSS paths. */
import {
  type DiagnosticMemory,
  initialDiagnosticMemory,
  type ListedCode,
  type MonitorState,
  rememberCodes,
  rememberMonitors,
  troubleCodesOf,
} from '../../core/safety/health/diagnostic-memory.js';
import type { ReportFinding } from '../../core/safety/health/health-report.js';
import type { DtcStatus } from '../../core/safety/health/trouble-codes.js';
import type { SignalSample } from '../../core/tick.js';
import type { DiagnosticValues } from '../diagnostics/decode-pid.js';
import type { DiagnosticContent } from '../diagnostics/diagnostic-content.js';
import type { Lamps } from '../diagnostics/j1939-faults.js';
import { pidTable } from '../diagnostics/pid-table.js';
import type { DtcState, TroubleCode } from '../diagnostics/trouble-code.js';
import { vssCatalogue } from '../vss/catalogue.js';

/** What diagnostic traffic has told since the last step. */
export interface DiagnosticNews {
  readonly memory: DiagnosticMemory;
  readonly samples: readonly SignalSample[];
  readonly isRedBrakeLampOn: boolean;
  readonly findings: readonly ReportFinding[];
}

const milPath = 'Vehicle.OBD.Status.IsMILOn';

/** Units whose answers never became whole that are told of; a log of noise has any number. */
const incompleteMaxCount = 20;

export class DiagnosticNewsDesk {
  /** answers and broadcasts understood */
  answers = 0;
  /** answers that began and did not become whole */
  incompleteAnswers = 0;
  #memory: DiagnosticMemory = initialDiagnosticMemory;
  #samples: SignalSample[] = [];
  readonly #incomplete = new Set<string>();
  /** by unit: 0 off, 1 on, 2 flashing */
  readonly #mil = new Map<string, number>();
  /** by path: where its values are taken from */
  readonly #sources = new Map<string, ValueSource>();
  #brakeLamp = false;

  get areCodesRead(): boolean {
    return troubleCodesOf(this.#memory) !== undefined;
  }

  drain(): DiagnosticNews {
    const samples = this.#samples;
    this.#samples = [];
    return {
      memory: this.#memory,
      samples,
      isRedBrakeLampOn: this.#brakeLamp,
      findings: [...this.#incomplete].map(
        (subject): ReportFinding => ({ code: 'answer_incomplete', subject }),
      ),
    };
  }

  /** A whole answer of one control unit. A list that is cut or a parameter that is short says nothing. */
  answered(ecu: string, content: DiagnosticContent, tUs: number): void {
    if (content.nrc !== undefined || content.service === null) return;
    this.answers++;
    const { service, dtcs } = content;
    if (service === 0x01 || service === 0x22) this.#values(ecu, content, tUs);
    else if (dtcs === undefined) return;
    else if (service === 0x03) this.#list(ecu, '03', dtcs);
    else if (service === 0x07) this.#list(ecu, '07', dtcs);
    else if (service === 0x0a) this.#list(ecu, '0A', dtcs);
    else if (service === 0x19 && listsAll(content.sub)) this.#list(ecu, '19', dtcs);
  }

  /** An answer that began and did not become whole. */
  incomplete(ecu: string): void {
    this.incompleteAnswers++;
    if (this.#incomplete.size < incompleteMaxCount) this.#incomplete.add(ecu);
  }

  /** J1939 DM1 (active) or DM2 (earlier) of the unit at an address. */
  broadcast(
    ecu: string,
    service: 'DM1' | 'DM2',
    codes: readonly TroubleCode[],
    lamps: Lamps,
    tUs: number,
  ): void {
    this.answers++;
    this.#memory = rememberCodes(
      this.#memory,
      ecu,
      service,
      codes.map(({ code }) => ({ code, status: null })),
    );
    if (service !== 'DM1') return;
    const { malfunction, red_stop: redStop } = lamps;
    if (malfunction !== null) {
      this.#mil.set(ecu, malfunction === 'off' ? 0 : malfunction === 'on' ? 1 : 2);
      this.#sampleMil(tUs);
    }
    if (ecu === brakeController && redStop !== null) this.#brakeLamp = redStop !== 'off';
  }

  /** One lamp for the car: the worst that any unit says. */
  #sampleMil(tUs: number): void {
    let worst = 0;
    for (const state of this.#mil.values()) worst = Math.max(worst, state);
    this.#sample(milPath, worst, tUs);
  }

  #list(ecu: string, service: '03' | '07' | '0A' | '19', dtcs: readonly TroubleCode[]): void {
    const listed = dtcs
      .filter(({ state }) => state !== 'passed')
      .map(({ code, state }): ListedCode => ({ code, status: statusOf(state) }));
    this.#memory = rememberCodes(this.#memory, ecu, service, listed);
  }

  #values(ecu: string, content: DiagnosticContent, tUs: number): void {
    const { values = {} } = content;
    for (const pid of pidsOf(content)) {
      const entry = pidTable.get(pid);
      if (entry?.kind === 'linear') {
        for (const { name, vss } of entry.signals) {
          const value = values[name]?.value;
          if (vss !== null && (typeof value === 'number' || value === null)) {
            this.#vssSample(ecu, pid, vss, value, tUs);
          }
        }
      }
      const monitors = monitorsOf(pid, values);
      if (monitors === null) continue;
      this.#memory = rememberMonitors(this.#memory, ecu, monitors);
      if (monitors.isMilOn === undefined || monitors.isMilOn === null) continue;
      this.#mil.set(ecu, monitors.isMilOn ? 1 : 0);
      this.#sampleMil(tUs);
    }
  }

  /** The PID's unit is the specification's; the core has its own. */
  #vssSample(ecu: string, pid: number, path: string, value: number | null, tUs: number): void {
    const vss = vssCatalogue.get(path);
    if (vss === undefined) return;
    // Values of two sources in turn would never persist: one is followed, a worse one is not heard beside it.
    const source: ValueSource = { ecu, pid, hasValue: value !== null };
    const known = this.#sources.get(path);
    const isSame = known?.ecu === ecu && known.pid === pid;
    if (known !== undefined && !isSame && !isBetter(source, known)) return;
    this.#sources.set(path, isSame && known.hasValue ? known : source);
    const { mul, div, add } = vss.fromVss;
    this.#sample(path, value === null ? null : (value * mul) / div + add, tUs);
  }

  #sample(path: string, value: number | null, observedAtUs: number): void {
    this.#samples.push({ path, value, observedAtUs, changes: 0 });
  }
}

/** The unit and the parameter that a value is read from: 05 and 67 both tell the coolant temperature. */
interface ValueSource {
  readonly ecu: string;
  readonly pid: number;
  /** whether it has ever told a value; a sensor that is not fitted is not available for ever */
  readonly hasValue: boolean;
}

/** A source with values before one without, then the engine's own before others, else the first that answered. */
function isBetter(source: ValueSource, known: ValueSource): boolean {
  if (source.hasValue !== known.hasValue) return source.hasValue;
  return source.hasValue && engineUnits.has(source.ecu) && !engineUnits.has(known.ecu);
}

/** Engine control units (ISO 15765-4): 7E8, and address 10 with 29 bits. */
const engineUnits: ReadonlySet<string> = new Set(['7E8', '18DAF110']);

/** Source address of the brake controller (SAE J1939, preferred addresses). */
const brakeController = '0B';

/** Sub-functions of service 19 that list codes with their status: by mask, by severity, all, permanent. */
function listsAll(sub: number | undefined): boolean {
  return sub === 0x02 || sub === 0x0a || sub === 0x13 || sub === 0x17;
}

function statusOf(state: DtcState): DtcStatus {
  return state === 'permanent' || state === 'passed' ? 'history' : state;
}

/** The OBD parameters of an answer; UDS identifiers F4xx are the same (ISO 14229-1, annex C). */
function pidsOf({ service, pid, pids, did }: DiagnosticContent): readonly number[] {
  if (service === 0x22) return did !== undefined && did >> 8 === 0xf4 ? [did & 0xff] : [];
  return pids ?? (pid === undefined ? [] : [pid]);
}

function monitorsOf(pid: number, values: DiagnosticValues): Partial<MonitorState> | null {
  const number = (name: string): number | null => {
    const value = values[name]?.value;
    return typeof value === 'number' ? value : null;
  };
  if (pid === 0x01) {
    const names = Object.keys(values).filter((name) => name.endsWith('_INCOMPLETE'));
    const incompleteCount = names.filter(
      (name) => number(name) === 1 && number(name.replace(/_INCOMPLETE$/, '_SUP')) === 1,
    ).length;
    const mil = number('MIL');
    return { isMilOn: mil === null ? null : mil === 1, incompleteCount };
  }
  if (pid === 0x30) return { warmUpsSinceClearCount: number('WARM_UPS') };
  if (pid !== 0x31) return null;
  const km = number('CLR_DIST');
  return { distanceSinceClearM: km === null ? null : km * 1000 };
}
