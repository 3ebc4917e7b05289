/** Who may let an ACT out: nobody, the log, or a simulated car with an authorisation of root. */
import type { Logger } from 'pino';
import { DriveMcpError } from '../core/errors.js';
import type { AuditEntry } from '../core/tick.js';
import type { Sink } from '../ports.js';
import { AuthorisationWatch, authorisationFile } from '../runtime/act-authorisation.js';
import { systemClock } from '../runtime/clock.js';
import type { LoadedConfig } from '../runtime/config.js';
import { LogSink } from './log-sink.js';

export interface ActAuthority {
  sinks(log: Logger): readonly Sink[];
  /** asked every tick */
  readonly isAuthorised: () => boolean;
  takeEntries(): AuditEntry[];
}

/**
 * @param simulated the sink of a simulated world that this run drives; null = there is none
 * @throws DriveMcpError USAGE where the configuration wants one and there is none
 */
export function openAuthority(
  { config, digest }: LoadedConfig,
  simulated: Sink | null,
  notice: (text: string) => void,
): ActAuthority {
  const { sink, authorisation_file: configured } = config.act;
  if (sink !== 'carla' && sink !== 'hil')
    return {
      sinks: (log) => (sink === 'log' ? [new LogSink(log)] : []),
      isAuthorised: () => true,
      takeEntries: () => [],
    };
  if (simulated === null)
    throw new DriveMcpError('USAGE', `this run has no simulated car for ACT (act.sink = "${sink}")`, {
      hint: 'carla: run --carla; hil: a live input; otherwise --act none or --act log',
    });
  const path = authorisationFile(configured, process.env);
  const watch = new AuthorisationWatch(path, digest, systemClock.wallMs);
  const { verdict } = watch;
  if (!verdict.isAuthorised)
    notice(
      `ACT is not authorised (${verdict.reason}, ${path}): as root, drivemcp act authorise --config-hash ${digest}`,
    );
  return {
    sinks: () => [simulated],
    isAuthorised: () => watch.verdict.isAuthorised && simulated.isReady !== false,
    takeEntries: () => watch.takeEntries(),
  };
}
