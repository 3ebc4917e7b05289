/** What the end of a log shows of its course: health over time, and when each finding and contribution held. */
import type { HealthReport, ReportFinding } from '../../core/safety/health/health-report.js';
import { SampledSeries } from '../drive-plot/sampled-series.js';
import { type Span, SpanSeries } from '../drive-plot/spans.js';

/** Rows of a picture; a log of noise has any number of findings. */
const rowsMaxCount = 24;

export interface TraceRow {
  readonly name: string;
  readonly finding: ReportFinding | null;
  readonly spans: readonly Span<boolean>[];
}

export class HealthTrace {
  readonly health = new SampledSeries();
  readonly coverage = new SampledSeries();
  readonly brakes = new SampledSeries();
  worst: HealthReport | null = null;
  /** rows beyond the bound, not kept */
  droppedRows = 0;
  readonly #rows = new Map<string, { finding: ReportFinding | null; series: SpanSeries<boolean> }>();
  #firstUs: number | null = null;
  #lastUs = 0;

  get rangeUs(): { readonly fromUs: number; readonly toUs: number } {
    return { fromUs: this.#firstUs ?? 0, toUs: this.#lastUs };
  }

  add(report: HealthReport): void {
    const { tUs, health, healthRisk } = report;
    this.#firstUs ??= tUs;
    this.#lastUs = tUs;
    this.health.add(tUs, health);
    this.coverage.add(tUs, report.coverage);
    // Full effect is also what is assumed while nothing is known: that is no line to draw.
    this.brakes.add(tUs, health === null ? null : report.brakeEffectiveness);
    if (healthRisk !== null && healthRisk > (this.worst?.healthRisk ?? 0)) this.worst = report;
    const held = new Map<string, ReportFinding | null>();
    for (const { indicator } of report.contributions) held.set(indicator, null);
    for (const finding of report.findings) {
      if (finding.code !== 'low_coverage') held.set(`${finding.code} ${finding.subject}`.trim(), finding);
    }
    for (const [name, finding] of held) {
      if (this.#rows.has(name)) continue;
      if (this.#rows.size >= rowsMaxCount) this.droppedRows++;
      else this.#rows.set(name, { finding, series: new SpanSeries() });
    }
    for (const [name, { series }] of this.#rows) series.add(tUs, held.has(name));
  }

  /** Contributions and findings in the order they first came, each with when it held. */
  rows(): TraceRow[] {
    return [...this.#rows].map(([name, { finding, series }]) => ({
      name,
      finding,
      spans: series.spans.filter(({ value }) => value),
    }));
  }
}
