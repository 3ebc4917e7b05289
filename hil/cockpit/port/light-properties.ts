/** Lamps and wipers, by AOSP's VehicleProperty.aidl. */
import { type Lamps, type LightSwitches, lightState, lightSwitch } from '../../sim/cabin/lights.js';
import { longestPeriodMs, wiperState, wiperSwitch } from '../../sim/cabin/wipers.js';
import { property } from '../vhal/property-config.js';
import { front, rear } from './climate-properties.js';
import type { CockpitState } from './cockpit-state.js';
import { type PropertyBinding, whileDriven } from './property-binding.js';

const { OFF, ON, DAYTIME_RUNNING, AUTOMATIC } = lightSwitch;
const onOff = { OFF, ON } as const;
const onOffAutomatic = { OFF, ON, AUTOMATIC } as const;
const headlights = { OFF, ON, DAYTIME_RUNNING, AUTOMATIC } as const;
const windows = { areas: [front, rear] };

type Position = Exclude<keyof LightSwitches, 'indicator'>;

function lightSwitchOf(
  name: string,
  id: number,
  key: Position,
  values: Readonly<Record<string, number>>,
): PropertyBinding {
  return {
    config: property(name, id, 'READ_WRITE', 'ON_CHANGE', { values }),
    read: ({ settings }) => settings.lights[key],
    write: ({ settings }, _area, value) => {
      settings.lights[key] = value as number;
    },
  };
}

function lampOf(name: string, id: number, isLit: (lamps: Lamps) => boolean): PropertyBinding {
  return {
    config: property(name, id, 'READ', 'ON_CHANGE', { values: lightState }),
    read: whileDriven(({ body }) => (isLit(body.lamps) ? lightState.ON : lightState.OFF)),
  };
}

const side = (area: number): 'front' | 'rear' => (area === front ? 'front' : 'rear');

export const lightProperties: readonly PropertyBinding[] = [
  lightSwitchOf('HEADLIGHTS_SWITCH', 0x11400e10, 'headlights', headlights),
  {
    config: property('HEADLIGHTS_STATE', 0x11400e00, 'READ', 'ON_CHANGE', { values: lightState }),
    read: whileDriven(({ body: { lamps } }) =>
      lamps.low ? lightState.ON : lamps.daytime ? lightState.DAYTIME_RUNNING : lightState.OFF,
    ),
  },
  lightSwitchOf('HIGH_BEAM_LIGHTS_SWITCH', 0x11400e11, 'highBeam', onOffAutomatic),
  lampOf('HIGH_BEAM_LIGHTS_STATE', 0x11400e01, ({ high }) => high),
  lightSwitchOf('FRONT_FOG_LIGHTS_SWITCH', 0x11400f3c, 'frontFog', onOffAutomatic),
  lampOf('FRONT_FOG_LIGHTS_STATE', 0x11400f3b, ({ frontFog }) => frontFog),
  lightSwitchOf('REAR_FOG_LIGHTS_SWITCH', 0x11400f3e, 'rearFog', onOffAutomatic),
  lampOf('REAR_FOG_LIGHTS_STATE', 0x11400f3d, ({ rearFog }) => rearFog),
  lightSwitchOf('HAZARD_LIGHTS_SWITCH', 0x11400e13, 'hazard', onOff),
  lampOf('HAZARD_LIGHTS_STATE', 0x11400e03, ({ hazard }) => hazard),
  lightSwitchOf('CABIN_LIGHTS_SWITCH', 0x11400f02, 'cabin', onOff),
  lampOf('CABIN_LIGHTS_STATE', 0x11400f01, ({ cabin }) => cabin),
  {
    config: property('TURN_SIGNAL_STATE', 0x11400408, 'READ', 'ON_CHANGE', {
      values: { NONE: 0, RIGHT: 1, LEFT: 2 },
    }),
    read: ({ settings: { lights } }: CockpitState) =>
      lights.indicator === 'right' ? 1 : lights.indicator === 'left' ? 2 : 0,
  },
  {
    config: property('WINDSHIELD_WIPERS_SWITCH', 0x13400bc7, 'READ_WRITE', 'ON_CHANGE', {
      ...windows,
      values: Object.fromEntries(Object.entries(wiperSwitch).filter(([name]) => name !== 'OTHER')),
    }),
    read: ({ settings }, area) => settings.wipers[side(area)],
    write: ({ settings }, area, value) => {
      settings.wipers[side(area)] = value as number;
    },
  },
  {
    config: property('WINDSHIELD_WIPERS_STATE', 0x13400bc6, 'READ', 'ON_CHANGE', {
      ...windows,
      values: wiperState,
    }),
    read: whileDriven(({ body }, area) => body.wipers[side(area)].state),
  },
  {
    config: property('WINDSHIELD_WIPERS_PERIOD', 0x13400bc5, 'READ', 'ON_CHANGE', {
      ...windows,
      unit: 'MILLI_SECS',
      range: { min: 0, max: longestPeriodMs },
    }),
    read: whileDriven(({ body }, area) => body.wipers[side(area)].periodMs),
  },
];
