/** Where the vehicle's own state comes from: a running daemon, or a log. */
import { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { askDaemon, type DaemonQuestion } from '../../../daemon/rpc/client/ask-daemon.js';
import { fileArg } from '../dbc/message-words.js';

export const logArgs = {
  log: fileArg.optional().describe('a CAN log in a configured folder; without it a running daemon is asked'),
  profile: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe('with log: vehicle profile, by name or file; without it only diagnostics and buses speak'),
  dbc: z.array(fileArg).max(8).optional().describe('with log and profile: its DBC files'),
};

export interface LogArgs {
  readonly log?: string | undefined;
  readonly profile?: string | undefined;
  readonly dbc?: readonly string[] | undefined;
}

/** @throws DriveMcpError TOOL_ARGS_INVALID where a profile stands without a log, or DBC files without a profile */
export function checkLogArgs({ log, profile, dbc }: LogArgs): void {
  const lacking =
    log === undefined && (profile !== undefined || dbc !== undefined)
      ? 'log'
      : dbc !== undefined && profile === undefined
        ? 'profile'
        : null;
  if (lacking === null) return;
  throw new DriveMcpError('TOOL_ARGS_INVALID', `${lacking} is missing beside the other arguments`, {
    location: { key: lacking },
  });
}

/**
 * Asks the daemon and checks the form of its answer.
 * @param socket null where no daemon is configured
 * @throws DriveMcpError DAEMON_ABSENT, SIGNALS_REFUSED
 */
export async function askVehicle<S extends z.ZodType>(
  socket: string | null,
  question: DaemonQuestion,
  form: S,
  signal: AbortSignal,
): Promise<z.output<S>> {
  if (socket === null) {
    throw new DriveMcpError('DAEMON_ABSENT', 'no daemon is configured to be asked', {
      hint: 'name a log, or give the values themselves',
    });
  }
  const parsed = form.safeParse(await askDaemon(socket, question, signal));
  if (parsed.success) return parsed.data;
  throw new DriveMcpError('SIGNALS_REFUSED', 'the daemon answers in another form than expected', {
    location: { file: socket, key: parsed.error.issues[0]?.path.join('.') ?? '' },
  });
}

/** Beside every answer about a vehicle: where it comes from. */
export const vehicleSource = z.strictObject({
  kind: z.enum(['given', 'daemon', 'log']),
  tick: z.number().int().nullable().describe('of the daemon'),
  mode: z.string().nullable().describe('of the daemon'),
  t_s: z.number().nullable().describe('seconds since the begin of the drive or log'),
  ended_by: z.string().nullable().describe('of a log: end = it was read to its end'),
});
export type VehicleSource = z.output<typeof vehicleSource>;

/** What every answer of the daemon begins with. */
export const daemonMoment = { tick: z.number(), t_s: z.number(), wall_ms: z.number(), mode: z.string() };

export function daemonSource({
  tick,
  t_s,
  mode,
}: {
  tick: number;
  t_s: number;
  mode: string;
}): VehicleSource {
  return { kind: 'daemon', tick, mode, t_s, ended_by: null };
}
