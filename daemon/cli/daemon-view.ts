/** What the MCP server `drivemcp` sees of a daemon and its runs: files of a state directory, read as they are asked for. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import { readDaemonStatus } from '../runtime/daemon-status.js';
import { recordedRuns } from '../runtime/find-recording.js';
import { recordingsDir } from '../runtime/state-dir.js';
import { statusPeriodMs } from '../runtime/status-file.js';

export function daemonView(stateDir: string) {
  const runs = () => recordedRuns(recordingsDir(stateDir));
  return {
    stateDir,
    status: (nowWallMs: number) => readDaemonStatus(stateDir, nowWallMs),
    recordedRuns: runs,
    async explain(tick: number, runId: string | null, signal: AbortSignal) {
      const { explainTick, openRun } = await import('../runtime/replay-run.js');
      const recording = await openRun(recordingOf(stateDir, runs(), runId));
      try {
        const { outputs, record, isAsRecorded } = await explainTick(recording, tick, signal);
        const { runId: id, isSimulated } = recording.header;
        return {
          runId: id,
          tick: outputs.tick,
          tUs: outputs.tUs,
          isSimulated,
          isAsRecorded,
          record,
        };
      } finally {
        await recording.close();
      }
    },
    /** The status is replaced once a second: a look at its time costs less than a watch, and works on every file system. */
    watch(changed: () => void): () => void {
      const timeOf = () => statSync(join(stateDir, 'status.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      let seen = timeOf();
      const timer = setInterval(() => {
        const now = timeOf();
        if (now === seen) return;
        seen = now;
        changed();
      }, statusPeriodMs);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

/** A run is named by its id alone: whoever asks over MCP names no files. */
function recordingOf(stateDir: string, runs: readonly string[], runId: string | null): string {
  const found = runId === null ? runs.at(-1) : runs.find((id) => id === runId);
  if (found !== undefined) return join(recordingsDir(stateDir), `${found}.drec`);
  throw new DriveMcpError(
    'RUN_UNKNOWN',
    runId === null ? 'no run is recorded here' : `there is no recorded run '${runId}'`,
    { hint: runs.length === 0 ? 'drivemcp run records one' : `the latest are ${runs.slice(-5).join(', ')}` },
  );
}
