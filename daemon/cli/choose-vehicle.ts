/** Which vehicle profile decodes the frames of a run: the one named, the drive's own, or a drafted one. */
import { DriveMcpError } from '../core/errors.js';
import type { OpenedInput } from '../sources/drive/open-drive.js';
import { openLog } from '../sources/logs/open-log.js';
import { planOf, readDbcFile } from '../vehicles/profile/dbc-set.js';
import { draftProfile, missingInputs } from '../vehicles/profile/draft/draft-profile.js';
import { LogSurvey } from '../vehicles/profile/draft/log-survey.js';
import {
  bundledProfiles,
  type LoadedProfile,
  loadProfile,
  useProfile,
} from '../vehicles/profile/load-profile.js';
import { parseProfile } from '../vehicles/profile/parse-profile.js';
import { shellWord } from './command-name.js';

export interface VehicleWish {
  /** as given with --profile or in the configuration; '' = none */
  readonly profile: string;
  readonly dbc: readonly string[];
  /** file the frames come from, to look at what it holds; null where it can only be read once */
  readonly logFile: string | null;
}

export interface ChosenVehicle {
  readonly loaded: LoadedProfile;
  /** where it comes from, for people */
  readonly origin: string;
  readonly notices: readonly string[];
}

/** Frames looked at to tell a right proposal from a wrong one: half a minute of a busy bus. */
const surveyFrames = 60_000;

/**
 * @param input a drive may name its own profile; null where there is nothing to ask
 * @throws DriveMcpError INPUTS_MISSING where no decision can be made; PROFILE_*, DBC_*, FILE_MISSING
 */
export async function chooseVehicle(wish: VehicleWish, input: OpenedInput | null): Promise<ChosenVehicle> {
  const own = input?.kind === 'drive' ? input.recording.header.context?.['profile'] : undefined;
  const named = wish.profile !== '' ? wish.profile : typeof own === 'string' ? own : '';
  if (named !== '') {
    const loaded = await loadProfile({ profile: named, dbcFiles: wish.dbc });
    return { loaded, origin: loaded.file, notices: loaded.warnings };
  }
  if (wish.dbc.length === 0) {
    throw new DriveMcpError(
      'INPUTS_MISSING',
      'frames alone do not say what they mean: a vehicle profile or a DBC file is needed',
      {
        hint: `give --profile (bundled: ${bundledProfiles().join(', ') || 'none'}) or --dbc FILE, from which a profile is drafted`,
      },
    );
  }
  return drafted(wish);
}

async function drafted(wish: VehicleWish): Promise<ChosenVehicle> {
  const files = wish.dbc.map(readDbcFile);
  const { plan, warnings } = planOf(files);
  const survey = wish.logFile === null ? undefined : new LogSurvey(plan);
  if (survey && wish.logFile !== null) await lookAt(survey, wish.logFile);
  const draft = draftProfile(plan, {
    name: 'draft',
    files: files.map((file) => ({ file: file.name, sha256: file.sha256 })),
    ...(survey ? { survey } : {}),
  });
  const missing = missingInputs(draft);
  if (draft.profile === null || missing.includes('Vehicle.Speed')) {
    const found = draft.proposals.map((proposal) => proposal.path).join(', ');
    throw new DriveMcpError(
      'INPUTS_MISSING',
      `nothing usable for decisions: no signal of ${files.map((file) => file.name).join(', ')} looks like ${missing.join(', ')}${found === '' ? '' : ` (found: ${found})`}`,
      { context: { missing } },
    );
  }
  const loaded = useProfile(parseProfile(JSON.stringify(draft.profile), '(drafted)'), files);
  const unsure = draft.proposals.filter((proposal) => proposal.confidence < 0.8);
  return {
    loaded,
    origin: `drafted from ${files.map((file) => file.name).join(', ')}`,
    notices: [
      ...new Set([...warnings, ...loaded.warnings]),
      `no vehicle profile was given: one was drafted with ${draft.proposals.length} signals from names, units and ranges`,
      ...unsure.map((one) => `unsure (${one.confidence.toFixed(2)}): ${one.key} as ${one.path}`),
      ...(missing.length === 0 ? [] : [`not found: ${missing.join(', ')}`]),
      `to check and keep it: drivemcp profile draft ${wish.dbc.map((path) => `--dbc ${shellWord(path)}`).join(' ')}${wish.logFile === null ? '' : ` ${shellWord(wish.logFile)}`} --out profile.json`,
    ],
  };
}

async function lookAt(survey: LogSurvey, path: string): Promise<void> {
  const log = await openLog(path);
  try {
    for (let batch = await log.next(); batch && survey.total < surveyFrames; batch = await log.next())
      survey.add(batch);
  } finally {
    await log.close();
  }
}
