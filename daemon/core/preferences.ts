/** What a driver may choose: language, units, how much is said, what is left unsaid. Hazards are always said. */

import { spokenLanguages } from './explain/locales.js';
import { type MessageClass, messageClasses } from './explain/message-class.js';
import type { RunSettings } from './settings.js';
import type { OperatorCommand } from './tick.js';

export const displayUnits = ['auto', 'km/h', 'mph'] as const;
export const verbosities = ['normal', 'brief'] as const;
export type Verbosity = (typeof verbosities)[number];

export const mutableClasses: readonly MessageClass[] = messageClasses.filter((name) => name !== 'hazard');

export const isLanguage = (text: string): boolean =>
  spokenLanguages.some((language) => text === language || text.startsWith(`${language}-`)) &&
  /^[a-z]{2}(-[A-Z]{2})?$/.test(text);

/** Settings after the preferences that were set on this tick; what is none is left alone. */
export function applyPreferences(settings: RunSettings, commands: readonly OperatorCommand[]): RunSettings {
  let next = settings;
  for (const { kind, subject, value } of commands) {
    if (kind !== 'prefer' || value === undefined) continue;
    if (subject === 'language' && isLanguage(value)) next = { ...next, language: value };
    const unit = displayUnits.find((name) => name === value);
    if (subject === 'units' && unit !== undefined) next = { ...next, displayUnit: unit };
    const verbosity = verbosities.find((name) => name === value);
    if (subject === 'verbosity' && verbosity !== undefined) next = { ...next, verbosity };
  }
  return next;
}
