import type { PropertyConfig, PropertyValue } from '../vhal/property-config.js';
import type { CockpitState, Driven } from './cockpit-state.js';

/** A property and where it is in the simulated car. Values that are written have been checked against the config. */
export interface PropertyBinding {
  readonly config: PropertyConfig;
  /** null: the car has no value now */
  readonly read: (state: CockpitState, area: number) => PropertyValue | null;
  readonly write?: (state: CockpitState, area: number, value: PropertyValue) => void;
  /** of the climate: neither read nor set where HVAC_POWER_ON is off */
  readonly needsPower?: boolean;
}

/** A value of the drive: none while there is no ego. */
export function whileDriven(
  read: (driven: Driven, area: number, state: CockpitState) => PropertyValue,
): PropertyBinding['read'] {
  return (state, area) => (state.driven === null ? null : read(state.driven, area, state));
}
