/**
 * The body of the ego: climate, glass, wipers and lamps, stepped together. Deterministic: no clock, no random numbers.
 * Simulated and of first order: good for a head unit that turns knobs and a camera that looks through the windscreen.
 */
import { type CabinAir, meanC, settledAir, stepAir } from './cabin-air.js';
import { type ClimateAction, type ClimateSettings, climateAction, ordinaryClimate } from './climate.js';
import {
  fogOf,
  type GlassPane,
  rearWindowKind,
  settledPane,
  sideWindowsKind,
  stepPane,
  windscreenKind,
} from './glass-pane.js';
import { type Lamps, type LightSwitches, lampsNow, ordinaryLights } from './lights.js';
import type { Outside } from './outside.js';
import { dryGlass, type RainOnGlass, stepRain } from './rain-on-glass.js';
import { type WiperAction, wiperAction, wiperSwitch } from './wipers.js';

export interface BodySettings {
  readonly climate: ClimateSettings;
  readonly lights: LightSwitches;
  readonly wipers: { front: number; rear: number };
}

export interface BodyState {
  readonly air: CabinAir;
  readonly windscreen: GlassPane;
  readonly rearWindow: GlassPane;
  readonly sideWindows: GlassPane;
  readonly rain: RainOnGlass;
  readonly rearRain: RainOnGlass;
  climate: ClimateAction;
  lamps: Lamps;
  wipers: { readonly front: WiperAction; readonly rear: WiperAction };
}

/** What the drive does to the body in a step. */
export interface BodyMoment {
  readonly outside: Outside;
  readonly vMps: number;
  readonly brakePedal: number;
  readonly isReversing: boolean;
  readonly hasOthersAhead: boolean | null;
  readonly people: number;
}

/** What a camera behind the windscreen looks through: 0 clear … 1 opaque, and the share that drops cover. */
export interface WindscreenView {
  readonly fog: number;
  readonly drops: number;
}

/** Longer steps are split: the glass has to be able to follow. */
const longestStepS = 0.25;

export function ordinarySettings(): BodySettings {
  return {
    climate: ordinaryClimate(),
    lights: ordinaryLights(),
    wipers: { front: wiperSwitch.AUTO, rear: wiperSwitch.OFF },
  };
}

/** A body that has been driven for a while: the cabin is as warm as wished, the glass is clear. */
export function drivenBody(
  settings: BodySettings,
  moment: BodyMoment,
  cabinC = settings.climate.zones.left.temperatureC,
): BodyState {
  const { outside } = moment;
  const air = settledAir(cabinC, 40);
  return {
    air,
    windscreen: settledPane(windscreenKind, cabinC, outside.ambientC),
    rearWindow: settledPane(rearWindowKind, cabinC, outside.ambientC),
    sideWindows: settledPane(sideWindowsKind, cabinC, outside.ambientC),
    rain: dryGlass(),
    rearRain: dryGlass(),
    climate: climateAction(settings.climate, air, 0, outside),
    lamps: lampsNow(settings.lights, { ...moment, ...outside }, null),
    wipers: wipersNow(settings, outside),
  };
}

export function windscreenView({ windscreen, rain }: BodyState): WindscreenView {
  return { fog: fogOf(windscreen), drops: rain.drops };
}

/** Advances the body by `dtS`. */
export function stepBody(body: BodyState, settings: BodySettings, moment: BodyMoment, dtS: number): void {
  const { outside, vMps } = moment;
  body.lamps = lampsNow(settings.lights, { ...moment, ...outside }, body.lamps);
  body.wipers = wipersNow(settings, outside);
  const steps = Math.max(1, Math.ceil(dtS / longestStepS));
  for (let i = 0; i < steps; i++) stepClimate(body, settings, moment, dtS / steps);
  const periodS = ({ periodMs }: WiperAction): number | null => (periodMs === 0 ? null : periodMs / 1000);
  stepRain(body.rain, outside.rainMmph, vMps, periodS(body.wipers.front), dtS);
  // A rear window stands in the lee of its roof: it gets what falls, not what is driven into.
  stepRain(body.rearRain, outside.rainMmph, 0, periodS(body.wipers.rear), dtS);
}

function stepClimate(body: BodyState, settings: BodySettings, moment: BodyMoment, dtS: number): void {
  const { air, windscreen, rearWindow, sideWindows } = body;
  const { outside, vMps, people } = moment;
  body.climate = climateAction(settings.climate, air, fogOf(windscreen), outside);
  const { flow, toWindscreen } = body.climate;
  const around = {
    cabinC: meanC(air),
    cabinVapourGpm3: air.vapourGpm3,
    outsideC: outside.ambientC,
    vMps,
    jet: { strength: 0, ventC: meanC({ zoneC: air.ventC }), vapourGpm3: air.ventVapourGpm3 },
    isHeated: false,
  };
  const toGlassGps =
    stepPane(
      windscreen,
      {
        ...around,
        jet: { ...around.jet, strength: flow * toWindscreen },
        isHeated: settings.climate.electricWindscreen,
      },
      dtS,
    ) +
    stepPane(
      rearWindow,
      { ...around, isHeated: settings.climate.rearDefroster || settings.climate.electricRearWindow },
      dtS,
    ) +
    stepPane(sideWindows, around, dtS);
  stepAir(air, body.climate, outside, people, toGlassGps, dtS);
}

function wipersNow({ wipers }: BodySettings, { precipitation }: Outside): BodyState['wipers'] {
  return {
    front: wiperAction(wipers.front, precipitation),
    rear: wiperAction(wipers.rear, precipitation),
  };
}
