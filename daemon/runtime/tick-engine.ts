/**
 * What happens in one tick, whoever drives the ticks: inputs are put together, recorded, decided on; the
 * outputs are hashed, journalled and shown; the experts' calls are started. Nothing here waits.
 */
import { DriveMcpError } from '../core/errors.js';
import type { AuditEntry, OperatorCommand, StoreState, TickInputs, TickOutputs } from '../core/tick.js';
import type { DriveSource, VehicleProfile } from '../ports.js';
import type { Journal, Tape } from './journal.js';
import type { RequiredSignals } from './required-signals.js';
import type { RunTally } from './run-tally.js';
import type { ToolRunner } from './tool-runner.js';

export interface TickParts {
  readonly periodUs: number;
  readonly source: DriveSource;
  /** what decodes the frames of the source */
  readonly profile: Pick<VehicleProfile, 'states'>;
  readonly required: RequiredSignals;
  readonly tools: ToolRunner;
  readonly journal: Journal;
  /** null: this run is not recorded */
  readonly tape: Tape | null;
  /** Unix ms of drive time 0 where the source does not say */
  readonly fallbackStartWallMs: number;
  /** true only while an authorised sink for ACT exists */
  readonly actAuthorised: () => boolean;
  /** the pure core with its state */
  readonly decide: (inputs: TickInputs) => TickOutputs;
  /** chains the outputs of a tick; returns the hash so far */
  readonly hash: (outputs: TickOutputs) => Uint8Array;
  readonly tally: RunTally;
  /** Is shown every tick; must not throw and must not keep what it sees. */
  readonly watch: (inputs: TickInputs, outputs: TickOutputs) => void;
  /** what people did since the tick before */
  readonly commands: (tUs: number) => readonly OperatorCommand[];
  /** Puts what was loaded beside the ticks in its place; returns what goes on record of it. */
  readonly betweenTicks: () => readonly AuditEntry[];
}

/** What the loop knows of this tick. */
export interface TickMoment {
  readonly tick: number;
  readonly tUs: number;
  readonly lateUs: number;
  readonly missedTicks: number;
  readonly store: StoreState;
}

export function runTick(parts: TickParts, moment: TickMoment): TickOutputs {
  const { source, tools, journal, tape, tally } = parts;
  const { tick, tUs } = moment;
  const swapped = parts.betweenTicks();
  const startWallMs = source.startWallMs ?? parts.fallbackStartWallMs;
  const signals = source.drainSignals();
  parts.required.see(signals);
  const inputs: TickInputs = {
    tick,
    tUs,
    wallMs: Math.floor(startWallMs + tUs / 1000),
    lateUs: moment.lateUs,
    missedTicks: moment.missedTicks,
    signals,
    facts: source.drainFacts(),
    answers: tools.takeAnswers(tUs),
    sources: [
      ...(source.states?.() ?? []),
      ...parts.profile.states(),
      ...parts.required.states(tUs),
      ...tools.states(),
    ],
    store: moment.store,
    commands: parts.commands(tUs),
    actAuthorised: parts.actAuthorised(),
  };
  tape?.inputs(inputs);
  const outputs = parts.decide(inputs);
  const hash = parts.hash(outputs);
  tape?.decision(tick, hash);
  journal.append(
    tick,
    tUs,
    inputs.wallMs,
    swapped.length === 0 ? outputs.audit : [...swapped, ...outputs.audit],
  );
  tally.add(inputs, outputs);
  parts.watch(inputs, outputs);
  if (outputs.mode === 'STOPPED') {
    // What broke an invariant cannot judge that it is whole again: the run ends, with everything on record.
    throw new DriveMcpError('INVARIANT', `mode STOPPED on tick ${tick}`, { context: { tick } });
  }
  for (const id of outputs.cancels) tools.cancel(id);
  for (const request of outputs.requests) tools.submit(request, tUs);
  return outputs;
}
