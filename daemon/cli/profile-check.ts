/** `profile check`: what a vehicle profile says, and what it delivers on a log. */

import { DriveTime } from '../core/can/drive-time.js';
import { DriveMcpError } from '../core/errors.js';
import { printable } from '../runtime/printable.js';
import { openLog } from '../sources/logs/open-log.js';
import { wantedPaths } from '../vehicles/profile/draft/draft-profile.js';
import { type LoadedProfile, loadProfile } from '../vehicles/profile/load-profile.js';
import type { ProfileDecoder } from '../vehicles/profile/profile-decoder.js';
import type { FrameFault, SignalRecord } from '../vehicles/profile/reception.js';
import { vssCatalogue } from '../vehicles/vss/catalogue.js';
import { booleanOption, type Invocation, listOption } from './command.js';
import { columns, count } from './table.js';
import type { Terminal } from './terminal.js';

interface Finding {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export async function checkProfile(invocation: Invocation): Promise<number> {
  const { values, positionals, terminal } = invocation;
  if (booleanOption(values, 'paths')) return listPaths(terminal);
  const name = positionals[0];
  if (name === undefined) {
    throw new DriveMcpError('USAGE', 'drivemcp profile check takes PROFILE [LOG], or --paths');
  }
  const loaded = await loadProfile({ profile: name, dbcFiles: listOption(values, 'dbc') });
  const { profile } = loaded;
  const log = positionals[1];
  const faults = log === undefined ? [] : await consumeLog(profile, log, invocation);
  const findings: Finding[] = loaded.warnings.map((message) => ({ severity: 'warning', message }));
  if (profile.required.size === 0) {
    findings.push({
      severity: 'warning',
      message: 'no signal is required: the daemon would not notice a silent bus',
    });
  }
  if (log !== undefined) findings.push(...coverageFindings(profile, faults));
  const isOk = findings.every((finding) => finding.severity !== 'error');
  if (terminal.json) printObject(loaded, findings, isOk, log !== undefined, terminal);
  else printTables(loaded, findings, log !== undefined, terminal);
  return isOk ? 0 : 1;
}

function listPaths(terminal: Terminal): number {
  const signals = [...vssCatalogue.values()];
  if (terminal.json) {
    for (const { path, datatype, vssUnit, unit, min, max, codes, overlay, use } of signals) {
      terminal.object({ path, datatype, vss_unit: vssUnit, unit, min, max, codes, overlay, use });
    }
    return 0;
  }
  const head = ['vss path', 'type', 'vss unit', 'unit here', 'min', 'max', 'for'];
  const rows = signals.map((signal) => [
    signal.path,
    signal.datatype,
    signal.vssUnit === '' ? '-' : signal.vssUnit,
    signal.unit === '' ? '-' : signal.unit,
    String(signal.min),
    String(signal.max),
    `${signal.use}${signal.overlay === undefined ? '' : ` (${signal.overlay} overlay)`}`,
  ]);
  const lines = columns([head, ...rows], ['left', 'left', 'left', 'left', 'right', 'right', 'left']);
  for (const [i, line] of lines.entries()) terminal.line(i === 0 ? terminal.style(line, 'dim') : line);
  return 0;
}

async function consumeLog(
  profile: ProfileDecoder,
  path: string,
  { terminal, signal }: Invocation,
): Promise<FrameFault[]> {
  const log = await openLog(path);
  const time = new DriveTime();
  const faults: FrameFault[] = [];
  try {
    for (let batch = await log.next(); batch !== null && !signal.aborted; batch = await log.next()) {
      const tUs = new Float64Array(batch.count);
      for (let i = 0; i < batch.count; i++) tUs[i] = time.at(batch.tS[i]!);
      profile.consume(batch, 0, batch.count, tUs);
      // Kept short: a log can hold any number of them.
      for (const fault of profile.drainFaults()) if (faults.length < 1000) faults.push(fault);
      terminal.progress(`${count(profile.frames, 'frame')} read`);
    }
  } finally {
    await log.close();
  }
  if (log.damaged > 0)
    terminal.message(`drivemcp: ${count(log.damaged, 'damaged part')} of the log left out`);
  return faults;
}

function coverageFindings(profile: ProfileDecoder, faults: readonly FrameFault[]): Finding[] {
  const findings: Finding[] = [];
  if (profile.messages.every((message) => message.frames === 0)) {
    findings.push({
      severity: 'error',
      message: `none of ${count(profile.frames, 'frame')} is of this profile`,
    });
    return findings;
  }
  for (const record of profile.signals) {
    if (record.accepted > 0) continue;
    const isRequired = record.mapped.spec.required === true;
    const what = record.arrived === 0 ? 'never came' : 'never had a valid value';
    findings.push({
      severity: isRequired ? 'error' : 'warning',
      message: `${record.mapped.vss.path} (${record.mapped.key}) ${what}${isRequired ? ', but is required' : ''}`,
    });
  }
  for (const message of profile.messages) {
    const bad = message.short + message.checksum + message.stuck;
    if (bad > 0) {
      findings.push({
        severity: 'warning',
        message: `${message.mapped.name}: ${bad} of ${count(message.frames, 'frame')} not accepted (${message.short} too short, ${message.checksum} wrong checksum, ${message.stuck} repeated counter)`,
      });
    }
    const expected = expectedPeriodMs(message.signals);
    const measured = message.periodMs;
    if (expected !== null && measured !== null && (measured > 1.5 * expected || measured < expected / 1.5)) {
      findings.push({
        severity: 'warning',
        message: `${message.mapped.name} comes every ${measured.toFixed(0)} ms, the profile expects ${expected} ms`,
      });
    }
  }
  for (const fault of faults.filter((each) => each.isActive).slice(0, 10)) {
    findings.push({
      severity: 'warning',
      message: `${fault.message}: fault (${fault.kind}) from ${(fault.tUs / 1e6).toFixed(2)} s`,
    });
  }
  return findings;
}

function expectedPeriodMs(signals: readonly SignalRecord[]): number | null {
  const period = signals.find((record) => record.mapped.periodUs !== null)?.mapped.periodUs;
  return period === undefined || period === null ? null : period / 1000;
}

function printObject(
  { profile, file, dbcFiles }: LoadedProfile,
  findings: readonly Finding[],
  isOk: boolean,
  hasLog: boolean,
  terminal: Terminal,
): void {
  const signals = profile.signals.map(({ mapped, ...record }) => ({
    signal: mapped.key,
    path: mapped.vss.path,
    unit: mapped.vss.unit,
    required: mapped.spec.required === true,
    period_ms: mapped.periodUs === null ? null : mapped.periodUs / 1000,
    ...(hasLog
      ? {
          received: record.arrived,
          accepted: record.accepted,
          not_available: record.notAvailable,
          out_of_range: record.outOfRange,
          not_finite: record.notFinite,
          too_fast: record.tooFast,
          min: record.accepted === 0 ? null : record.lowest,
          max: record.accepted === 0 ? null : record.highest,
        }
      : {}),
  }));
  const messages = profile.messages.map((record) => ({
    message: record.mapped.name,
    frames: record.frames,
    accepted: record.accepted,
    short: record.short,
    long: record.long,
    checksum: record.checksum,
    counter: record.stuck,
    lost: record.lost,
    period_ms: record.periodMs,
  }));
  terminal.object({
    ok: isOk,
    name: profile.name,
    file,
    digest: profile.digest,
    dbc: dbcFiles.map(({ path, sha256 }) => ({ file: path, sha256 })),
    findings,
    ...(hasLog ? { frames: profile.frames, unmapped: profile.unmapped, messages } : {}),
    signals,
  });
}

function printTables(
  { profile, file, dbcFiles }: LoadedProfile,
  findings: readonly Finding[],
  hasLog: boolean,
  terminal: Terminal,
): void {
  terminal.line(terminal.style(`${profile.name} (${file})`, 'bold'));
  terminal.line(`digest ${profile.digest}`);
  for (const dbc of dbcFiles) terminal.line(`dbc    ${printable(dbc.path)} sha256 ${dbc.sha256}`);
  terminal.line();
  const head = hasLog
    ? ['vss path', 'signal', 'received', 'valid', 'period ms', 'min', 'max', 'unit', 'not valid']
    : ['vss path', 'signal', 'unit', 'period ms', 'checks', ''];
  const rows = profile.signals.map((record) =>
    hasLog ? coverageRow(profile, record) : staticRow(profile, record),
  );
  const align = hasLog
    ? (['left', 'left', 'right', 'right', 'right', 'right', 'right', 'left', 'left'] as const)
    : (['left', 'left', 'left', 'right', 'left', 'left'] as const);
  for (const [i, line] of columns([head, ...rows], align, terminal.tableWidth).entries()) {
    terminal.line(i === 0 ? terminal.style(line, 'dim') : line.trimEnd());
  }
  if (findings.length > 0) terminal.line();
  for (const { severity, message } of findings) {
    terminal.line(
      terminal.style(`${severity}: ${printable(message)}`, severity === 'error' ? 'red' : 'yellow'),
    );
  }
  const mapped = new Set(profile.signals.map((record) => record.mapped.vss.path));
  const silent = profile.signals.filter((record) => hasLog && record.accepted === 0);
  const missing = [
    ...wantedPaths.filter((path) => !mapped.has(path)).map((path) => `${path} (not mapped)`),
    ...silent.map(
      (record) => `${record.mapped.vss.path} (${record.arrived === 0 ? 'never came' : 'never valid'})`,
    ),
  ];
  terminal.line();
  terminal.line(`missing: ${missing.length === 0 ? 'nothing that decisions rest on' : missing.join(', ')}`);
}

function staticRow(profile: ProfileDecoder, record: SignalRecord): string[] {
  const { mapped } = record;
  const message = profile.messages.find((each) => each.mapped.message === mapped.message);
  const checks = [
    message?.mapped.checksum ? 'checksum' : '',
    message?.mapped.counter ? 'counter' : '',
  ].filter((word) => word !== '');
  return [
    mapped.vss.path,
    printable(mapped.key),
    mapped.vss.unit === '' ? '-' : mapped.vss.unit,
    mapped.periodUs === null ? '-' : String(mapped.periodUs / 1000),
    checks.length === 0 ? '-' : checks.join(', '),
    mapped.spec.required === true ? 'required' : '',
  ];
}

function coverageRow(profile: ProfileDecoder, record: SignalRecord): string[] {
  const { mapped } = record;
  const message = profile.messages.find((each) => each.mapped.message === mapped.message);
  const share = record.arrived === 0 ? '-' : `${((100 * record.accepted) / record.arrived).toFixed(1)}%`;
  const reasons = [
    record.notAvailable > 0 ? `${record.notAvailable} not available` : '',
    record.outOfRange > 0 ? `${record.outOfRange} out of range` : '',
    record.notFinite > 0 ? `${record.notFinite} not a number` : '',
    record.tooFast > 0 ? `${record.tooFast} too fast` : '',
  ].filter((text) => text !== '');
  const shown = (value: number): string =>
    record.accepted === 0 ? '-' : String(Number(value.toPrecision(6)));
  return [
    mapped.vss.path,
    printable(mapped.key),
    record.arrived.toLocaleString('en-US'),
    share,
    message?.periodMs === null || message === undefined ? '-' : message.periodMs.toFixed(1),
    shown(record.lowest),
    shown(record.highest),
    mapped.vss.unit === '' ? '-' : mapped.vss.unit,
    reasons.join(', '),
  ];
}
