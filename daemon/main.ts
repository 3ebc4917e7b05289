/**
 * Composes a run: source → ticks → core → store, recorder, sinks; starts it, ends it, sums it up.
 * Whatever ends the run (its drive, a signal, an error), its records are closed properly.
 */
import { relative } from 'node:path';
import { announceParams } from './core/params/validation.js';
import { countOurValues } from './core/params.js';
import type { TickInputs, TickOutputs } from './core/tick.js';
import { openCommands } from './open-commands.js';
import { openParts } from './open-parts.js';
import { type OfferedSignals, openSignals } from './open-signals.js';
import type { Clock, DriveSource, Sink, VehicleProfile } from './ports.js';
import { DecisionHasher } from './record/decision-hasher.js';
import { AdaptationKeeper, loadAdaptation } from './runtime/adaptation-file.js';
import { ChargedTools } from './runtime/charged-tools.js';
import { systemClock } from './runtime/clock.js';
import { closeRun } from './runtime/close-run.js';
import type { LoadedConfig } from './runtime/config.js';
import { contextFrom } from './runtime/config-context.js';
import { FeedbackLog } from './runtime/feedback-log.js';
import { Lateness } from './runtime/lateness.js';
import type { Logger } from './runtime/log.js';
import { openTape, type RecordedFrames } from './runtime/open-tape.js';
import { packageVersion } from './runtime/package-root.js';
import { RequiredSignals } from './runtime/required-signals.js';
import { rememberRulepacks } from './runtime/rulepack-history.js';
import { Decider } from './runtime/run-context.js';
import { createRunId } from './runtime/run-id.js';
import { type RunSummary, tallySummary, toolSummary } from './runtime/run-summary.js';
import { RunTally } from './runtime/run-tally.js';
import { runTicks } from './runtime/run-ticks.js';
import { serviceManager } from './runtime/service-manager.js';
import { StatusFile } from './runtime/status-file.js';
import type { TickParts } from './runtime/tick-engine.js';
import { openAuthority } from './sinks/act-authority.js';
import { ActGate } from './sinks/act-gate.js';
import { LogSink } from './sinks/log-sink.js';
import { openMonitor } from './sinks/monitor/open-monitor.js';
import { openVoice } from './sinks/voice/open-voice.js';
import { driveCounters } from './sources/drive/drive-counters.js';
import type { HeardCodes } from './vehicles/health/heard-codes.js';

export interface RunOptions {
  readonly loaded: LoadedConfig;
  readonly stateDir: string;
  readonly source: DriveSource;
  readonly profile: VehicleProfile;
  /** null: the recording holds no frames */
  readonly frames: RecordedFrames | null;
  /** begins a live input with the monotonic time of tick 0; null = a recorded drive, in lockstep at `speed` */
  readonly goLive: ((startUs: number) => void) | null;
  readonly speed: number | 'max';
  /** true: in lockstep, an expert's measured latency passes in drive time before its answer counts */
  readonly chargesLatency?: boolean;
  /** sleeps between the ticks of a live input; default: the system's timers */
  readonly clock?: Clock;
  /** executes an ACT in a simulated world; only where the configuration says so and root has authorised it */
  readonly actSink?: Sink;
  /** trouble codes heard on the bus; left out where diagnostics are not delivered */
  readonly codes?: HeardCodes;
  /** Shown every tick. */
  readonly watch: (inputs: TickInputs, outputs: TickOutputs) => void;
  /** tells the service manager a state; 0 or errno; left out where nobody could be told */
  readonly notifyService?: (state: string) => number;
  /** What opening the store found and did, and what else people should know. */
  readonly notice: (text: string) => void;
  /** Called once, when all that can keep a run from starting is past. */
  readonly onOpened?: () => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface RunResult {
  readonly summary: RunSummary;
  /** what ended the run early; its records are closed all the same */
  readonly failure: unknown;
}

/** A run that ends says its last sentence to the end; files need no time of their own. */
const lastWordsMaxMs = 4000;
const soundFilesMaxMs = 20_000;

/** @throws DriveMcpError STATE_LOCKED, STATE_UNWRITABLE, STORE_*, RECORDING_FAILED: what keeps a run from starting */
export async function runDaemon(options: RunOptions): Promise<RunResult> {
  const { loaded, stateDir, source, log } = options;
  const { config } = loaded;
  // Before anything is opened: what is refused here leaves nothing to close.
  const authority = openAuthority(loaded, options.actSink ?? null, options.notice);
  const fresh = contextFrom(config);
  const advisory = announceParams(fresh.params);
  if (advisory !== null) options.notice(`preset ${config.core.preset}: ${advisory}`);
  // Reads ahead without delivering: an input without a frame shows before anything is written.
  if (options.goLive === null) await source.advance(-1);
  const { store, experts } = await openParts(config, stateDir, options.goLive !== null, log);
  for (const text of experts.notices) options.notice(text);
  store.tell(options.notice);
  // A recorded drive decides the same whatever earlier drives taught; only a live daemon goes on learning.
  const learned = options.goLive === null ? null : loadAdaptation(stateDir, fresh.params);
  if (learned?.notice) options.notice(learned.notice);
  const keeper = learned && new AdaptationKeeper(stateDir, fresh.params, learned.state, options.notice);
  const context = learned === null ? fresh : { ...fresh, adaptation: learned.state };
  const beganWallMs = systemClock.wallMs();
  const runId = createRunId(beganWallMs);
  const tape = await openTape(options, runId, context, experts.digests());
  const isLive = options.goLive !== null;
  const commands = openCommands(config, stateDir, isLive, options.notice);
  const feedbackLog = isLive ? new FeedbackLog(stateDir, runId, options.notice) : null;
  const rememberPacks = () =>
    rememberRulepacks(stateDir, { runId, wallMs: systemClock.wallMs() }, experts.digests(), options.notice);
  await rememberPacks();
  const monoMs = (): number => systemClock.monoUs() / 1000;
  const monitor = await openMonitor(config.act.monitor, stateDir, authority.sinks(log), monoMs);
  const gate = new ActGate(monitor.sinks, () => authority.isAuthorised() && monitor.isReady());
  const heard = openVoice(config, {
    environment: process.env,
    monoMs,
    log,
    notice: options.notice,
  });
  const speech = heard ?? new LogSink(log);
  const decider = new Decider(context);
  const hasher = new DecisionHasher();
  const tally = new RunTally(context.settings.startJurisdiction);
  const lateness = new Lateness();
  store.beginRun({
    runId,
    productVersion: packageVersion,
    preset: config.core.preset,
    configDigest: loaded.digest,
    source: source.description,
    sourceDigest: source.digest,
    isSimulated: source.isSimulated,
    recordingPath: tape === null ? null : relative(stateDir, tape.path),
    wallMs: beganWallMs,
  });
  const head = {
    pid: process.pid,
    run: runId,
    version: packageVersion,
    source: source.description,
    simulated: source.isSimulated,
    live: options.goLive !== null,
    period_ms: config.tick.period_ms,
    began_wall_ms: beganWallMs,
    recording: tape?.path ?? null,
  };
  let signals: OfferedSignals | null = null;
  const status = new StatusFile(stateDir, {
    head,
    store: () => ({ ...store.state(), queued: store.counters().queued }),
    input: () => driveCounters(source),
    decode: () => ({ ...options.profile.counts() }),
    experts: () => experts.status(),
    signals: () => signals?.server.counters() ?? null,
    act: () => ({
      sink: config.act.sink,
      authorised: gate.isAuthorised,
      ...gate.counters,
      monitor: monitor.counters(),
    }),
    speech: () => ({ sink: config.speech.sink, ...heard?.counters }),
    tally: () => ({
      missed_ticks: tally.missedTicks,
      lateness_us: lateness.summary(),
      decisions: { ...tally.decisions },
      counts: { ...tally.counts },
      recording_dropped: tape?.state.droppedRecords ?? 0,
      recording_trouble: tape?.state.trouble ?? null,
    }),
    wallMs: systemClock.wallMs,
    monoUs: systemClock.monoUs,
    notice: options.notice,
  });
  if (config.signals.socket) {
    signals = await openSignals(
      stateDir,
      head,
      {
        status: () => status.current(),
        diagnostics: () => options.codes?.memory ?? null,
      },
      options.notice,
    );
  }
  const service =
    options.notifyService === undefined
      ? null
      : serviceManager({
          notify: options.notifyService,
          monoUs: systemClock.monoUs,
          receivers: () => source.heartbeats?.() ?? [],
          store: () => store.state(),
          notice: options.notice,
          environment: process.env,
          pid: process.pid,
        });
  options.onOpened?.();
  const beganUs = systemClock.monoUs();
  let firstTickUs: number | null = null;
  const parts: TickParts = {
    periodUs: context.settings.periodUs,
    source,
    profile: options.profile,
    required: new RequiredSignals(options.profile.required),
    tools: options.chargesLatency === true ? new ChargedTools(experts.pool) : experts.pool,
    journal: store,
    tape,
    fallbackStartWallMs: beganWallMs,
    actAuthorised: () => gate.isAuthorised,
    decide: (inputs) => {
      firstTickUs ??= systemClock.monoUs();
      const outputs = decider.decide(inputs);
      keeper?.keep(decider.adaptation);
      return outputs;
    },
    commands: (tUs) => commands.take(tUs),
    betweenTicks: () => [...experts.betweenTicks(), ...authority.takeEntries(), ...monitor.takeEntries()],
    hash: (outputs) => hasher.add(outputs),
    tally,
    watch: (inputs, outputs) => {
      status.watch(inputs, outputs);
      feedbackLog?.watch(inputs, outputs, decider.adaptation);
      signals?.board.watch(inputs, outputs, decider.state);
      service?.watch(outputs.tick, outputs.mode);
      if (outputs.utterance !== null) speech.speak(outputs.tick, outputs.utterance);
      options.watch(inputs, outputs);
    },
  };
  const failure = await runTicks(parts, {
    goLive: options.goLive,
    speed: options.speed,
    clock: options.clock ?? systemClock,
    ackDeadlineMs: config.store.ack_deadline_ms,
    lateness,
    settle: (outputs, isDurable, nowUs) => gate.pass(outputs, isDurable, nowUs),
    signal: options.signal,
  });
  service?.stopping(endOf(failure, options.signal));
  const wallS = (systemClock.monoUs() - beganUs) / 1e6;
  await heard?.close(config.speech.wav_dir === '' ? lastWordsMaxMs : soundFilesMaxMs);
  await rememberPacks();
  await experts.close();
  await commands.close();
  await feedbackLog?.close();
  await keeper?.close();
  const summary = {
    run: runId,
    source: source.description,
    simulated: source.isSimulated,
    preset: config.core.preset,
    act_reachable: advisory === null,
    values_ours: countOurValues(context.params),
    period_ms: config.tick.period_ms,
    ...tallySummary(tally),
    wall_s: wallS,
    // the monotonic clock of a process begins when it is started
    first_tick_ms: firstTickUs === null ? null : firstTickUs / 1000,
    max_rss_mb: process.resourceUsage().maxRSS / 1024,
    late_us: lateness.summary(),
    decision_hash: hasher.hex,
    tools: toolSummary(experts.pool.counters()),
    act: {
      sink: config.act.sink,
      ...gate.counters,
      monitor: monitor.counters(),
      link: options.actSink?.status?.() ?? null,
    },
    speech: { sink: config.speech.sink, ...heard?.counters },
    input: driveCounters(source),
    decode: { ...options.profile.counts() },
    ended_by: endOf(failure, options.signal),
    recording: tape?.path ?? null,
    recording_dropped: tape?.state.droppedRecords ?? 0,
    recording_trouble: tape?.state.trouble ?? null,
    state_dir: stateDir,
  };
  await signals?.server.close();
  await monitor.close();
  await status.close(summary.ended_by);
  const closed = await closeRun({ store, tape, source, log }, summary);
  return { summary: { ...summary, audit_head: closed.head }, failure: failure ?? closed.failure };
}

/** What ended a run. A signal aborts with its name, a standard output that is gone with `output`. */
function endOf(failure: unknown, signal: AbortSignal): string {
  if (failure !== null) return 'error';
  if (!signal.aborted) return 'end of source';
  return signal.reason === 'output' ? 'output' : 'signal';
}
