import type { JsonObject, TickOutputs } from '../../core/tick.js';
import type { Recording } from '../../record/recording-reader.js';
import type { ReplayResult } from '../../runtime/replay-run.js';
import { contextOf } from '../../runtime/run-context.js';
import { drawDrive } from './drive-plot.js';
import { DriveTrace } from './drive-trace.js';
import { openPlotFile, type PlotFile } from './plot-file.js';

/** The picture of a replay while it is gathered. */
export class DrivePlot {
  readonly #file: PlotFile;
  readonly #trace: DriveTrace;
  readonly #recording: Recording;

  /** @throws DriveMcpError as `openPlotFile` and `contextOf` do, before any tick is decided */
  constructor(path: string, recording: Recording) {
    const { params, settings } = contextOf(recording.header.context, recording.path);
    this.#recording = recording;
    this.#trace = new DriveTrace(params, settings);
    this.#file = openPlotFile(path);
  }

  add(outputs: TickOutputs, record: JsonObject): void {
    this.#trace.add(outputs, record);
  }

  /** @param verdict how the replay compares with the recording */
  write({ ticks, decisionHash }: ReplayResult, verdict: string): void {
    const { description, isSimulated, preset, tickPeriodUs } = this.#recording.header;
    const head = {
      source: description,
      isSimulated,
      preset: preset ?? 'unknown',
      ticks,
      periodMs: (tickPeriodUs ?? 0) / 1000,
      decisionHash,
      verdict,
    };
    this.#file.write(drawDrive(head, this.#trace));
  }

  close(): void {
    this.#file.close();
  }
}
