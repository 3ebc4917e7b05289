import { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { troubleCodesOf } from '../../../daemon/core/safety/health/diagnostic-memory.js';
import { dtcStatuses } from '../../../daemon/core/safety/health/trouble-codes.js';
import { type Language, languages } from '../../../daemon/vehicles/dtc/code-explanation.js';
import { type DtcCode, dtcText, parseDtc } from '../../../daemon/vehicles/dtc/dtc-code.js';
import { explainCode } from '../../../daemon/vehicles/dtc/dtc-knowledge.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { shownText } from '../../shared/shown-text.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import { nextCursor, Page, pageArgs, pageSubject } from '../files/page.js';
import type { LogAccess } from '../log/scan-log.js';
import { answerStamp, stamped } from './answer-stamp.js';
import { readVehicleLog } from './vehicle-log.js';
import {
  askVehicle,
  daemonMoment,
  daemonSource,
  logArgs,
  type VehicleSource,
  vehicleSource,
} from './vehicle-source.js';

const input = z.strictObject({
  codes: z
    .array(z.string().min(1).max(40))
    .min(1)
    .max(100)
    .optional()
    .describe('codes to explain: P0301, U0100-87, "SPN 110 FMI 3"; without them those of a log or daemon'),
  log: logArgs.log,
  language: z.enum(languages).default('en').describe('of the driver'),
  ...pageArgs,
});

const urgencies = ['stop', 'soon', 'check', 'info'] as const;

const code = z.strictObject({
  code: z.string(),
  status: z.enum(dtcStatuses).nullable().describe('null where only the code was given'),
  ecu: z.string().nullable(),
  title: z.string().describe('for the driver'),
  failure: z.string().nullable().describe('way of failing, where it was given'),
  system: z.string(),
  urgency: z.enum(urgencies).describe('stop = stop where it is safe, soon = workshop within days'),
  advice: z.string().describe('for the driver'),
  certainty: z
    .enum(['standard', 'varies', 'structure'])
    .describe('fixed by the standard, differs by maker, or known by structure only'),
  note: z.string(),
  vss: z.string().nullable().describe('a signal that shows the same thing'),
});

const answer = z.strictObject({
  source: vehicleSource,
  language: z.enum(languages),
  is_read: z
    .boolean()
    .describe('false = no control unit was heard listing codes: nothing is known, not none'),
  codes_count: z.number().int(),
  codes: z.array(code).describe('by urgency, then by control unit and code'),
  next_cursor: nextCursor,
  stamp: answerStamp,
});

const daemonCodes = z.object({
  ...daemonMoment,
  heard: z.boolean(),
  codes: z.array(z.object({ code: z.string(), status: z.enum(dtcStatuses), ecu: z.string() })).nullable(),
});

interface Listed {
  readonly code: DtcCode;
  readonly status: (typeof dtcStatuses)[number] | null;
  readonly ecu: string | null;
}

/** `can_dtcs`: trouble codes, what they mean and what to do. */
export function canDtcsTool(access: LogAccess, shelf: DbcShelf, socket: string | null): ExpertTool {
  return expertTool({
    name: 'can_dtcs',
    title: 'Trouble codes for the driver',
    description:
      'Trouble codes given, heard in a log or by a running daemon, each with a title, urgency and advice for the driver in English or German, and how certain its meaning is. Codes are never cleared. Research software beside certified functions, never in their place.',
    input,
    output: answer,
    async run(args, context) {
      if (args.codes !== undefined && args.log !== undefined) {
        throw new DriveMcpError('TOOL_ARGS_INVALID', 'give codes or a log, not both', {
          location: { key: 'log' },
        });
      }
      let source: VehicleSource;
      let listed: readonly Listed[] | undefined;
      let identity = '';
      if (args.codes !== undefined) {
        source = { kind: 'given', tick: null, mode: null, t_s: null, ended_by: null };
        listed = args.codes.map((text, index) => ({ code: given(text, index), status: null, ecu: null }));
      } else if (args.log !== undefined) {
        const read = await readVehicleLog(access, shelf, { log: args.log }, context);
        source = read.source;
        identity = read.identity;
        listed = troubleCodesOf(read.diagnostics)?.flatMap(heard);
      } else {
        const question = { subject: 'dtcs', scopes: ['read:dtcs'] } as const;
        const told = await askVehicle(socket, question, daemonCodes, context.signal);
        source = daemonSource(told);
        listed = told.codes?.flatMap(heard);
      }
      const explained = unique(listed ?? []).map((each) => explainedOf(each, args.language));
      explained.sort(
        (a, b) =>
          urgencies.indexOf(a.urgency) - urgencies.indexOf(b.urgency) ||
          compare(`${a.ecu ?? ''} ${a.code}`, `${b.ecu ?? ''} ${b.code}`),
      );
      const page = new Page<z.output<typeof code>>(pageSubject('can_dtcs', args, [identity]), args);
      for (const each of explained) page.offer(() => each);
      const result = {
        source,
        language: args.language,
        is_read: listed !== undefined,
        codes_count: explained.length,
        codes: page.items,
        next_cursor: page.nextCursor,
      };
      return stamped(result, args, context.nowWallMs);
    },
  });
}

/** @throws DriveMcpError TOOL_ARGS_INVALID with the place of the code */
function given(text: string, index: number): DtcCode {
  try {
    return parseDtc(text);
  } catch (error) {
    if (!(error instanceof DriveMcpError)) throw error;
    throw new DriveMcpError('TOOL_ARGS_INVALID', shownText(error.message, 200), {
      location: { key: `codes.${index}` },
      hint: error.hint,
      cause: error,
    });
  }
}

/** What a unit said; a code in no form of ours is left to the count of what is unknown. */
function heard({
  code: text,
  status,
  ecu,
}: {
  code: string;
  status: Listed['status'];
  ecu: string;
}): Listed[] {
  try {
    return [{ code: parseDtc(text), status, ecu }];
  } catch (error) {
    if (error instanceof DriveMcpError) return [];
    throw error;
  }
}

/** A unit may list a code under several services: the worst status counts. */
function unique(listed: readonly Listed[]): readonly Listed[] {
  const byCode = new Map<string, Listed>();
  for (const each of listed) {
    const key = `${each.ecu ?? ''} ${dtcText(each.code)}`;
    const known = byCode.get(key);
    if (known === undefined || rank(each) < rank(known)) byCode.set(key, each);
  }
  return [...byCode.values()];
}

function rank({ status }: Listed): number {
  return status === null ? dtcStatuses.length : dtcStatuses.indexOf(status);
}

function explainedOf({ code: parsed, status, ecu }: Listed, language: Language): z.output<typeof code> {
  const told = explainCode(parsed, language);
  return {
    code: dtcText(parsed),
    status,
    ecu: ecu === null ? null : shownText(ecu, 40),
    title: told.title,
    failure: told.failure === '' ? null : told.failure,
    system: told.systemName,
    urgency: told.urgency,
    advice: told.advice,
    certainty: told.certainty,
    note: told.note,
    vss: told.vss === '' ? null : told.vss,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
