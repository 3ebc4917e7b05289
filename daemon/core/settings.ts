/** What is fixed for a run besides the parameter set: who drives, where it starts, how long a tick is. */
import type { SpeedUnit } from './world/facts.js';

export interface RunSettings {
  /** length of a tick: 20 000, 50 000 or 100 000 µs */
  readonly periodUs: number;
  /** language of the driver, ISO 639-1; there are phrases for `en` and `de`, anything else gets `en` */
  readonly language: string;
  /** unit spoken to the driver; `auto` = that of the jurisdiction */
  readonly displayUnit: 'auto' | SpeedUnit;
  /** where the drive starts if no fact says it */
  readonly startJurisdiction: string | null;
  /** true only for runs labelled as analysis: facts of provenance `sim_oracle` are taken */
  readonly isAnalysis: boolean;
  /** which safety rule decides beside which monitor */
  readonly evaluator: 'paper' | 'rss';
  /** vehicle class of the rules expert's flat context */
  readonly vehicleClass: 'car' | 'car_trailer' | 'car_ev' | 'motorhome' | 'hgv' | 'coach';
  /** missing = `normal`; `brief` leaves announcements out that ask nothing of the driver */
  readonly verbosity?: 'normal' | 'brief';
  /** classes of messages that are not said from the start; missing = none. Hazards cannot be muted */
  readonly muted?: readonly string[];
  /** SHA-256 of the effective configuration, for the record; '' = none */
  readonly configHash: string;
}

export const defaultSettings: RunSettings = {
  periodUs: 50_000,
  language: 'en',
  displayUnit: 'auto',
  startJurisdiction: null,
  isAnalysis: false,
  evaluator: 'paper',
  vehicleClass: 'car',
  configHash: '',
};
