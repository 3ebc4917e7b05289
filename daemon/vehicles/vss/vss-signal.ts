import { coreUnits, type Dimension, type UnitConversion, unitFor } from './units.js';

/** A signal of the COVESA Vehicle Signal Specification (release 6) as this product uses it. */
export interface VssSignal {
  /** full path, instances written out: `Vehicle.Chassis.Axle.Row1.Wheel.Left.Tire.Pressure` */
  readonly path: string;
  readonly datatype: 'boolean' | 'float' | 'int8' | 'int16' | 'uint8' | 'uint16' | 'uint32' | 'string';
  /** unit in the specification, '' where it has none */
  readonly vssUnit: string;
  readonly dimension: Dimension;
  /** unit of the values that reach the core */
  readonly unit: string;
  /** specification's unit → core's unit */
  readonly fromVss: UnitConversion;
  /** plausible range in the core's unit; outside it a value is a sensor fault, not a measurement */
  readonly min: number;
  readonly max: number;
  /** fastest physically possible change, core units per second; absent = may jump */
  readonly maxRatePerS?: number;
  /** string-valued signals reach the core as these numbers */
  readonly codes?: Readonly<Record<string, number>>;
  /**
   * not in the core specification: an overlay (the OBD branch left the catalogue in release 6.0; ours, where it has no
   * such thing)
   */
  readonly overlay?: 'OBD' | 'drivemcp';
  /** what it is for here */
  readonly use: string;
}

/** How the group files below write a signal down. */
export interface VssSignalSpec {
  readonly datatype: VssSignal['datatype'];
  readonly vssUnit?: string;
  readonly dimension?: Dimension;
  readonly range: readonly [min: number, max: number];
  readonly maxRatePerS?: number;
  readonly codes?: Readonly<Record<string, number>>;
  readonly overlay?: 'OBD' | 'drivemcp';
  readonly use: string;
}

export function vssSignal(path: string, spec: VssSignalSpec): VssSignal {
  const dimension = spec.dimension ?? 'none';
  const vssUnit = spec.vssUnit ?? '';
  const fromVss = unitFor(vssUnit, dimension);
  if (!fromVss) throw new Error(`VSS catalogue: ${path} has unit '${vssUnit}', which is no ${dimension}`);
  return {
    path,
    datatype: spec.datatype,
    vssUnit,
    dimension,
    unit: coreUnits[dimension],
    fromVss,
    min: spec.range[0],
    max: spec.range[1],
    ...(spec.maxRatePerS === undefined ? {} : { maxRatePerS: spec.maxRatePerS }),
    ...(spec.codes === undefined ? {} : { codes: spec.codes }),
    ...(spec.overlay === undefined ? {} : { overlay: spec.overlay }),
    use: spec.use,
  };
}

/** A flag: 0 = false, 1 = true in the core. */
export function vssFlag(path: string, use: string, overlay?: VssSignal['overlay']): VssSignal {
  return vssSignal(path, {
    datatype: 'boolean',
    range: [0, 1],
    use,
    ...(overlay === undefined ? {} : { overlay }),
  });
}
