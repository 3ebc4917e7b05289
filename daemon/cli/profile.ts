import { checksumKinds } from '../vehicles/profile/profile-schema.js';
import type { CommandSpec } from './command.js';
import { dbcOption } from './dbc-set.js';
import { checkProfile } from './profile-check.js';
import { draftFromFiles } from './profile-draft.js';

const format = `{"profile": 1, "name": "my-car", "dbc": [{"file": "my-car.dbc", "sha256": "…"}],
 "signals": {"MESSAGE.SIGNAL": {"vss": "Vehicle.Speed", …}}}

  vss            path of the COVESA Vehicle Signal Specification (--paths lists them)
  unit           unit of the value, where the DBC gives none or a wrong one
  scale, offset  value · scale + offset, before the unit is converted
  min, max       plausible range of that; outside it the value is not valid
  invalid_raw    raw values that mean "not available": [255]
  period_ms      expected cycle time
  counter        {"signal": NAME, "modulo": 15}: repeated values are not accepted
  checksum       {"kind": KIND, "signal": NAME}; kinds: ${checksumKinds.join(', ')}
  required       true: without it the daemon only monitors`;

export const commands: readonly CommandSpec[] = [
  {
    path: ['profile', 'draft'],
    summary: 'proposes a vehicle profile: which signals of a DBC are what',
    positionals: '[LOG]',
    arity: [0, 1],
    options: {
      dbc: dbcOption,
      out: { type: 'string', value: 'FILE', help: 'writes the profile there; an existing file is kept' },
      name: { type: 'string', value: 'NAME', help: 'name of the profile; default: of the first DBC file' },
      force: { type: 'boolean', help: 'writes over an existing file' },
    },
    details:
      'Signals are judged by their names (several languages), units, ranges and value tables; with LOG also by\nwhat is really there: presence, plausible values, movement, cycle times, counters and checksums. The number\nin front says how sure a proposal is. Look at everything below 0.80 before you trust it.\n\nExit codes: 0 something was proposed; 1 nothing was.',
    examples: [
      ['drivemcp profile draft --dbc car.dbc', 'a table, from the DBC alone'],
      ['drivemcp profile draft --dbc car.dbc drive.log --out car/profile.json', 'checked on a log, written'],
    ],
    run: draftFromFiles,
  },
  {
    path: ['profile', 'check'],
    summary: 'checks a vehicle profile, with a log also what it delivers',
    positionals: '[PROFILE] [LOG]',
    arity: [0, 2],
    options: {
      dbc: dbcOption,
      paths: { type: 'boolean', help: 'lists the VSS paths a profile may name, with units and ranges' },
    },
    details: `${format}\n\nPROFILE is a profile.json, the folder it is in, or the name of a bundled profile. Its DBC files are looked\nup among --dbc and beside the profile. With LOG every signal is decoded as by a run: how often it came,\nits range, how many values were not valid and why.\n\nExit codes: 0 good; 1 a required signal has no valid value in the log, or nothing mapped is in it;\n69 a file is missing; 78 the profile or a DBC cannot be used.`,
    examples: [
      ['drivemcp profile check sim-car', 'a bundled profile'],
      ['drivemcp profile check --paths', 'what signals can be mapped to'],
      ['drivemcp profile check ford-gt350 --dbc ford_lincoln_base_pt.dbc drive.log', 'what a log gives'],
    ],
    run: checkProfile,
  },
];
