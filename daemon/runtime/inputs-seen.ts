import type { TickInputs } from '../core/tick.js';

/** Kinds of input that decisions rest on, as programs read them. */
export const inputKinds = [
  'speed',
  'jurisdiction',
  'road_class',
  'signs_or_gantries',
  'vehicles_ahead',
  'weather',
] as const;
export type InputKind = (typeof inputKinds)[number];

const weatherSignals: ReadonlySet<string> = new Set([
  'Vehicle.Exterior.AirTemperature',
  'Vehicle.Body.Windshield.Front.Wiping.Mode',
  'Vehicle.Body.Windshield.Front.Wiping.System.IsWiping',
]);

/** Which kinds of input came at all during a run: what never came explains what was never said. */
export class InputsSeen {
  readonly #missing = new Set<InputKind>(inputKinds);

  constructor(startJurisdiction: string | null = null) {
    if (startJurisdiction !== null) this.#missing.delete('jurisdiction');
  }

  add({ signals, facts }: TickInputs): void {
    const missing = this.#missing;
    if (missing.size === 0) return;
    if (missing.has('speed') || missing.has('weather')) {
      for (const { path, value } of signals) {
        if (value === null) continue;
        if (path === 'Vehicle.Speed') missing.delete('speed');
        else if (weatherSignals.has(path)) missing.delete('weather');
      }
    }
    for (const fact of facts) {
      if (fact.kind === 'actors') missing.delete('vehicles_ahead');
      else if (fact.kind === 'sign' || fact.kind === 'gantry') missing.delete('signs_or_gantries');
      else if (fact.kind === 'weather' || fact.kind === 'jurisdiction') missing.delete(fact.kind);
      else if (fact.kind === 'road' && fact.value.roadClass !== undefined) missing.delete('road_class');
    }
  }

  /** Kinds that never came, in the order of `inputKinds`. */
  get missing(): InputKind[] {
    return inputKinds.filter((kind) => this.#missing.has(kind));
  }
}
