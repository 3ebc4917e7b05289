/** DBC files given with --dbc, and a profile with --profile, for the commands that decode. */
import { DriveMcpError } from '../core/errors.js';
import { type DecodePlan, findSignal } from '../vehicles/dbc/decode-plan.js';
import { type DbcFile, planOf, readDbcFile } from '../vehicles/profile/dbc-set.js';
import { loadProfile } from '../vehicles/profile/load-profile.js';
import { listOption, type OptionSpec, type OptionValues, stringOption } from './command.js';
import type { Terminal } from './terminal.js';

export const dbcOption: OptionSpec = {
  type: 'string',
  multiple: true,
  value: 'FILE',
  help: 'DBC file; of messages with the same id in several files the last counts',
};

export const profileOption: OptionSpec = {
  type: 'string',
  value: 'PROFILE',
  help: 'vehicle profile (name or file): values that it marks as not available are null',
};

export interface DecodeSet {
  readonly plan: DecodePlan;
  /** by plan signal: the physical values that mean "not available"; undefined for all others */
  readonly unavailable: readonly (Float64Array | undefined)[];
}

/** Compiles the files of --dbc; what is damaged or defined twice is said on stderr. */
export function openDbcSet(values: OptionValues, terminal: Terminal): DecodePlan {
  return compile(listOption(values, 'dbc').map(readDbcFile), terminal);
}

/** The same with --profile, whose own DBC files are taken where --dbc names none. */
export async function openDecodeSet(values: OptionValues, terminal: Terminal): Promise<DecodeSet> {
  const profileName = stringOption(values, 'profile');
  if (profileName === undefined) return { plan: openDbcSet(values, terminal), unavailable: [] };
  const paths = listOption(values, 'dbc');
  const { profile, dbcFiles } = await loadProfile({ profile: profileName, dbcFiles: paths });
  const plan = compile(paths.length === 0 ? dbcFiles : paths.map(readDbcFile), terminal);
  const unavailable: Float64Array[] = [];
  for (const { mapped } of profile.signals) {
    if (mapped.unavailable.length === 0) continue;
    const separator = mapped.key.indexOf('.');
    const messageName = mapped.key.slice(0, separator);
    for (const [message, name] of plan.messageName.entries()) {
      const signal = name === messageName ? findSignal(plan, message, mapped.key.slice(separator + 1)) : -1;
      if (signal >= 0) unavailable[signal] = mapped.unavailable;
    }
  }
  return { plan, unavailable };
}

function compile(files: readonly DbcFile[], terminal: Terminal): DecodePlan {
  if (files.length === 0) throw new DriveMcpError('DBC_NONE', 'no DBC file was given');
  const { plan, warnings } = planOf(files);
  for (const warning of warnings) terminal.message(`drivemcp: ${warning}`);
  return plan;
}
