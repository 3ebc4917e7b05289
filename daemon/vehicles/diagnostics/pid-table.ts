/** The parameter table in a form that decoders can walk. */
import { pidRows } from './pid-rows.js';

export interface LinearSignal {
  readonly name: string;
  readonly unit: string;
  readonly byte: number;
  readonly bytes: number;
  readonly isSigned: boolean;
  readonly mul: number;
  readonly div: number;
  readonly add: number;
  /** bit of the first byte that says whether the value is there; −1: always */
  readonly supportBit: number;
  /** raw value that means "not available"; −1: none */
  readonly unavailableRaw: number;
  /** path in the COVESA Vehicle Signal Specification (release 6), where there is one of the same meaning */
  readonly vss: string | null;
}

export interface BitSignal {
  readonly name: string;
  readonly byte: number;
  readonly bit: number;
  readonly width: number;
}

interface PidHead {
  readonly pid: number;
  readonly name: string;
  /** data bytes after the PID */
  readonly bytes: number;
  /** some units send more, for further banks */
  readonly mostBytes: number;
  /** some units send fewer; below this number an answer is short */
  readonly fewestBytes: number;
}

export type PidEntry = PidHead &
  (
    | { readonly kind: 'linear'; readonly signals: readonly LinearSignal[] }
    | { readonly kind: 'bits'; readonly signals: readonly BitSignal[] }
    | { readonly kind: 'enum'; readonly signals: readonly { readonly name: string; readonly byte: number }[] }
    | { readonly kind: 'bitmask' | 'dtc' | 'raw' }
  );

const engine = 'Vehicle.Powertrain.CombustionEngine';

/** By PID and signal. ODO is kilometres here and metres there. */
const vssPaths: Readonly<Record<string, string>> = {
  '05 ECT': `${engine}.EngineCoolant.Temperature`,
  '67 ECT1': `${engine}.EngineCoolant.Temperature`,
  '0B MAP': `${engine}.MAP`,
  '0C RPM': `${engine}.Speed`,
  '0D VSS': 'Vehicle.Speed',
  '10 MAF': `${engine}.MAF`,
  '11 TP': `${engine}.TPS`,
  '2F FLI': 'Vehicle.Powertrain.FuelSystem.RelativeLevel',
  '42 VPWR': 'Vehicle.LowVoltageBattery.CurrentVoltage',
  '46 AAT': 'Vehicle.Exterior.AirTemperature',
  '49 APP_D': 'Vehicle.Chassis.Accelerator.PedalPosition',
  '5B BAT_PWR': 'Vehicle.Powertrain.TractionBattery.StateOfCharge.Displayed',
  '5C EOT': `${engine}.EngineOil.Temperature`,
  'A6 ODO': 'Vehicle.TraveledDistance',
};

/** All entries by PID. */
export const pidTable: ReadonlyMap<number, PidEntry> = new Map(
  pidRows
    .trim()
    .split('\n')
    .map((row) => {
      const entry = parseRow(row);
      return [entry.pid, entry];
    }),
);

function parseRow(row: string): PidEntry {
  const [head = '', name = '', list = ''] = row.split(' | ');
  const [pidText = '', lengths = '', kind = ''] = head.split(' ');
  const [, bytes = '', fewest = bytes, most = bytes] = /^(\d+)(?:-(\d+))?(?:\+(\d+))?$/.exec(lengths) ?? [];
  const entry = {
    pid: Number.parseInt(pidText, 16),
    name,
    bytes: Number(bytes),
    fewestBytes: Number(fewest),
    mostBytes: Number(most),
  };
  const signals = list === '' ? [] : list.split('; ');
  switch (kind) {
    case 'linear':
      return { ...entry, kind, signals: signals.map((text) => linearSignal(text, pidText)) };
    case 'bits':
      return { ...entry, kind, signals: signals.map(bitSignal) };
    case 'enum':
      return {
        ...entry,
        kind,
        signals: signals.map((text) => {
          const [signal = '', byte] = text.split(' ');
          return { name: signal, byte: Number(byte) };
        }),
      };
    case 'bitmask':
    case 'dtc':
    case 'raw':
      return { ...entry, kind };
    default:
      throw new Error(`PID table: ${row}`);
  }
}

function linearSignal(text: string, pidText: string): LinearSignal {
  const found = /^(\S+) (\S+) (\d+):(\d)(s?) ([\d.]+)\/(\d+)(?: ([+-]\d+))?(?: \?(\d))?(?: !(\d+))?$/.exec(
    text,
  );
  if (found === null) throw new Error(`PID table: ${text}`);
  const [, name = '', unit = '', byte, bytes, sign, mul, div, add = '0', supportBit = '-1', raw = '-1'] =
    found;
  return {
    name,
    unit,
    byte: Number(byte),
    bytes: Number(bytes),
    isSigned: sign === 's',
    mul: Number(mul),
    div: Number(div),
    add: Number(add),
    supportBit: Number(supportBit),
    unavailableRaw: Number(raw),
    vss: vssPaths[`${pidText} ${name}`] ?? null,
  };
}

function bitSignal(text: string): BitSignal {
  const found = /^(\S+) (\d)\.(\d):(\d)$/.exec(text);
  if (found === null) throw new Error(`PID table: ${text}`);
  return { name: found[1]!, byte: Number(found[2]), bit: Number(found[3]), width: Number(found[4]) };
}
