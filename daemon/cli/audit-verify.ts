import { createReadStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { exportLines } from '../store/export-lines.js';
import {
  type EpochReport,
  type ExportReport,
  type Progress,
  verifyExport,
  verifyStateDir,
} from '../store/reader-verify.js';
import { lastEpoch } from '../store/store-files.js';
import { type Invocation, stringOption } from './command.js';
import { countOption } from './count-option.js';
import { columns } from './table.js';
import type { Terminal } from './terminal.js';

export async function verifyAudit({ values, terminal, signal }: Invocation): Promise<number> {
  const file = stringOption(values, 'file');
  const progress: Progress = async (records) => {
    terminal.progress(`verifying: ${records} records`);
    await setImmediate();
    if (signal.aborted) {
      throw new DriveMcpError(
        'STOPPED_EARLY',
        `stopped after ${records} records: nothing is said of the rest`,
      );
    }
  };
  if (file !== undefined) return verifyFile(file, terminal, progress);
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  const only = countOption(values, 'epoch');
  const last = lastEpoch(stateDir);
  if (last === 0 || (only !== undefined && (only < 1 || only > last))) {
    throw new DriveMcpError(
      'FILE_MISSING',
      last === 0 ? 'there is no audit store' : `there is no epoch ${only}: the epochs here are 1 to ${last}`,
      {
        location: { file: stateDir },
        hint: 'drivemcp run makes an audit store; --state names another directory',
      },
    );
  }
  const reports = await verifyStateDir(stateDir, progress, only);
  terminal.clearProgress();
  return tellEpochs(reports, terminal);
}

function tellEpochs(reports: readonly EpochReport[], terminal: Terminal): number {
  const isWhole = reports.every((report) => report.problem === null && !report.set_aside);
  const head = reports.at(-1)?.head ?? null;
  const records = reports.reduce((sum, report) => sum + report.records, 0);
  if (terminal.json) {
    terminal.object({ ok: isWhole, records, head, epochs: reports });
    return isWhole ? 0 : 1;
  }
  const rows = reports.map((report) => [
    String(report.epoch),
    epochState(report),
    String(report.records),
    report.first_seq === null ? '-' : `${report.first_seq}…${report.head?.seq ?? '?'}`,
    report.head?.hash ?? '-',
  ]);
  const titles = ['epoch', 'state', 'records', 'numbers', 'head'];
  for (const line of columns([titles, ...rows], ['right', 'left', 'right', 'left', 'left']))
    terminal.line(line);
  for (const report of reports) {
    if (report.checkpoint !== null) {
      terminal.line(
        `epoch ${report.epoch}: verified from its checkpoint, record ${report.checkpoint.seq}; what came before was removed by retention`,
      );
    }
    if (report.problem !== null) {
      const { seq, reason } = report.problem;
      const text = report.is_missing ? reason : `epoch ${report.epoch}: broken at record ${seq}: ${reason}`;
      terminal.line(terminal.style(text, 'red'));
    }
    if (!report.is_missing && (report.head_file === 'missing' || report.head_file === 'empty')) {
      terminal.line(
        `epoch ${report.epoch}: warning: the head kept beside the database is ${report.head_file}; records lost from the end would not show`,
      );
    }
    if (report.set_aside) terminal.line(`epoch ${report.epoch}: set aside as damaged, ${report.file}`);
  }
  terminal.line(
    isWhole
      ? terminal.style(`the chain is whole: ${records} records`, 'green')
      : terminal.style(`the chain is NOT whole; ${records} records verify`, 'red'),
  );
  return isWhole ? 0 : 1;
}

function epochState({ problem, set_aside: isSetAside, is_missing: isMissing }: EpochReport): string {
  if (isMissing) return 'MISSING';
  if (isSetAside) return problem === null ? 'SET ASIDE' : 'BROKEN, SET ASIDE';
  return problem === null ? 'whole' : 'BROKEN';
}

async function verifyFile(file: string, terminal: Terminal, progress: Progress): Promise<number> {
  const input: AsyncIterable<Buffer> = file === '-' ? process.stdin : createReadStream(file);
  let report: ExportReport;
  try {
    report = await verifyExport(exportLines(input), progress);
  } catch (error) {
    throw unreadable(file, error);
  }
  terminal.clearProgress();
  const isWhole = report.problem === null && report.records > 0;
  if (terminal.json) {
    terminal.object({ ok: isWhole, ...report });
    return isWhole ? 0 : 1;
  }
  if (report.begins_inside) {
    terminal.line('the export begins inside a chain: what came before its first record is taken as given');
  }
  if (report.problem !== null) {
    const { line, seq, reason } = report.problem;
    terminal.line(terminal.style(`${file}:${line}: broken at record ${seq}: ${reason}`, 'red'));
    terminal.line(`${report.records} records before it verify`);
  } else if (report.head === null) {
    terminal.line(`${file}: holds no record`);
  } else {
    terminal.line(terminal.style(`the chain is whole: ${report.records} records`, 'green'));
    terminal.line(`head: epoch ${report.head.epoch}, record ${report.head.seq}, ${report.head.hash}`);
  }
  return isWhole ? 0 : 1;
}

function unreadable(file: string, error: unknown): DriveMcpError {
  if (error instanceof DriveMcpError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  const options = { location: { file }, cause: error };
  if (code === 'ENOENT') return new DriveMcpError('FILE_MISSING', 'there is no such file', options);
  if (error instanceof RangeError || code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new DriveMcpError('CHAIN_BROKEN', `not an export: ${(error as Error).message}`, options);
  }
  return new DriveMcpError('FILE_UNREADABLE', causeText(error), options);
}
