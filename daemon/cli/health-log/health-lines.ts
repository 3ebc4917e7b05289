/** Health of a log as objects and as lines for people. */
import type { HealthReport, ReportedContribution } from '../../core/safety/health/health-report.js';
import { parseDtc } from '../../vehicles/dtc/dtc-code.js';
import { explainCode } from '../../vehicles/dtc/dtc-knowledge.js';
import { timeText } from '../drive-plot/time-axis.js';
import { columns } from '../table.js';
import type { Terminal } from '../terminal.js';
import { findingWords } from './finding-words.js';
import type { HealthTrace } from './health-trace.js';

/** @param tS time of the log, seconds as it has them */
export function healthObject(report: HealthReport, tS: number): Record<string, unknown> {
  return {
    t: tS,
    health: report.health,
    health_risk: report.healthRisk,
    coverage: report.coverage,
    eta_b: report.brakeEffectiveness,
    contributions: report.contributions.map(({ indicator, severity, weight, vss, source, isHeld }) => ({
      indicator,
      severity,
      weight,
      vss,
      ...(source === null ? {} : { source }),
      ...(indicator === 'dtc' ? { title: titleOf({ indicator, source }) } : {}),
      ...(isHeld ? { held: true } : {}),
    })),
    stale: report.stale,
    findings: report.findings.map((finding) => ({
      code: finding.code,
      ...(finding.subject === '' ? {} : { subject: finding.subject }),
      message: findingWords(finding),
    })),
  };
}

export function healthNumber(health: number | null): string {
  return health === null ? 'unknown' : health.toFixed(1);
}

/** One line of the course: time, health, and what it is made of. */
export function courseLine(report: HealthReport, before: HealthReport | null, endUs: number): string {
  const came = report.contributions.filter(
    (one) =>
      !before?.contributions.some(
        (other) => nameOf(other) === nameOf(one) && other.severity === one.severity,
      ),
  );
  const went = (before?.contributions ?? []).filter(
    (one) => !report.contributions.some((other) => nameOf(other) === nameOf(one)),
  );
  const isNew = (code: string, subject: string): boolean =>
    !(before?.findings ?? []).some((other) => other.code === code && other.subject === subject);
  const isGone = (code: string, subject: string): boolean =>
    !report.findings.some((other) => other.code === code && other.subject === subject);
  const words = [
    ...came.map((one) => `${nameOf(one)} ${percent(one.severity)}`),
    ...went.map((one) => `${nameOf(one)} clear`),
    ...report.findings.filter(({ code, subject }) => isNew(code, subject)).map(findingWords),
    ...(before?.findings ?? [])
      .filter(({ code, subject }) => isGone(code, subject))
      .map(({ code, subject }) => `no more: ${code.replaceAll('_', ' ')} ${subject}`.trim()),
    ...report.stale.filter((name) => !before?.stale.includes(name)).map((name) => `${name} stale`),
  ];
  const time = timeText(report.tUs, { toUs: endUs }, 1).padStart(9);
  return `${time}  ${healthNumber(report.health).padStart(7)}  ${words.join('; ')}`;
}

function nameOf({ indicator, source, vss }: ReportedContribution): string {
  if (source !== null) return `${indicator} ${source}`;
  const wheel = /Row(\d)\.Wheel\.(Left|Right)/.exec(vss ?? '');
  return wheel === null
    ? indicator
    : `${indicator} ${wheel[1] === '1' ? 'front' : 'rear'} ${wheel[2]?.toLowerCase()}`;
}

/** What a trouble code says; '' for everything else. */
function titleOf({ indicator, source }: Pick<ReportedContribution, 'indicator' | 'source'>): string {
  const code = indicator === 'dtc' ? source?.slice(source.indexOf(':') + 1) : undefined;
  return code === undefined ? '' : explainCode(parseDtc(code), 'en').title;
}

function percent(ratio: number): string {
  return `${Math.round(100 * ratio)} %`;
}

const barChars = 24;
const blocks = '▁▂▃▄▅▆▇█';

/** The picture at the end: health over time, a bar for each contribution, findings, what is not known. */
export function printSummary(terminal: Terminal, last: HealthReport, trace: HealthTrace): void {
  const { worst } = trace;
  terminal.line();
  const mark =
    last.healthRisk === null
      ? 'dim'
      : last.healthRisk < 0.1
        ? 'green'
        : last.healthRisk < 0.5
          ? 'yellow'
          : 'red';
  terminal.line(
    `health      ${terminal.style(healthNumber(last.health), mark)}${last.health === null ? '' : ' of 100'} at the end${lowest(last, worst)}`,
  );
  terminal.line(
    `known       ${percent(last.coverage)} of what health is made of${last.stale.length === 0 ? '' : `; no longer heard: ${last.stale.join(', ')}`}`,
  );
  terminal.line(
    `brakes      ${last.health === null ? 'unknown: nothing here says anything about them' : `${percent(last.brakeEffectiveness)} of their effect are left, as far as known`}`,
  );
  const line = timeline(trace, Math.max(10, Math.min(60, terminal.columns - 14)));
  if (line !== '') terminal.line(`over time   ${line}`);
  printBars(terminal, last.contributions, 'at the end');
  if (worst !== null && worst.healthRisk !== last.healthRisk)
    printBars(terminal, worst.contributions, 'at the worst moment');
  const rows = trace.rows().filter(({ finding }) => finding !== null);
  const shown = new Set(rows.map(({ finding }) => JSON.stringify(finding)));
  const late = last.findings.filter(
    (finding) => finding.code !== 'low_coverage' && !shown.has(JSON.stringify(finding)),
  );
  if (rows.length + late.length > 0) {
    terminal.line();
    terminal.line(terminal.style('findings', 'bold'));
    for (const { finding, spans } of rows) {
      if (finding === null) continue;
      const from = spans[0]?.fromUs ?? 0;
      const to = spans.at(-1)?.toUs ?? from;
      const when = `${timeText(from, { toUs: trace.rangeUs.toUs }, 1)} – ${timeText(to, { toUs: trace.rangeUs.toUs }, 1)}`;
      terminal.line(`  ${findingWords(finding)}  ${terminal.style(`(${when})`, 'dim')}`);
    }
    for (const finding of late) terminal.line(`  ${findingWords(finding)}`);
  }
}

function lowest(last: HealthReport, worst: HealthReport | null): string {
  if (worst === null || worst.healthRisk === last.healthRisk) return '';
  return `, ${healthNumber(worst.health)} at the worst moment`;
}

function printBars(terminal: Terminal, contributions: readonly ReportedContribution[], when: string): void {
  if (contributions.length === 0) return;
  terminal.line();
  terminal.line(terminal.style(`what lowers it ${when}`, 'bold'));
  const most = contributions.reduce((max, { weight, severity }) => Math.max(max, weight * severity), 0);
  const rows = contributions.slice(0, 20).map((one) => {
    const points = one.weight * one.severity;
    const filled = Math.max(1, Math.round((barChars * points) / most));
    return [
      `  ${nameOf(one)}`,
      points.toFixed(3),
      `${'█'.repeat(filled)}${'·'.repeat(barChars - filled)}`,
      `${percent(one.severity)} of ${one.weight}${one.isHeld ? ', held' : ''}`,
      [titleOf(one), one.vss ?? ''].filter((text) => text !== '').join('  '),
    ];
  });
  for (const line of columns(rows, ['left', 'right', 'left', 'left', 'left'], terminal.tableWidth))
    terminal.line(line);
  if (contributions.length > 20) terminal.line(`  and ${contributions.length - 20} more`);
}

/** Worst health of each column as a block; a space where nothing was known. */
function timeline(trace: HealthTrace, width: number): string {
  const { fromUs, toUs } = trace.rangeUs;
  if (toUs <= fromUs || trace.health.samples.every(({ value }) => value === null)) return '';
  const columnUs = (toUs - fromUs) / width;
  let line = '';
  let index = 0;
  let value: number | null = null;
  const { samples } = trace.health;
  for (let column = 0; column < width; column++) {
    let least = value;
    while (index < samples.length && samples[index]!.tUs < fromUs + (column + 1) * columnUs) {
      value = samples[index]!.value;
      if (value !== null) least = least === null ? value : Math.min(least, value);
      index++;
    }
    line += least === null ? ' ' : (blocks[Math.min(7, Math.floor((least / 100) * 7.999))] ?? ' ');
  }
  return line;
}
