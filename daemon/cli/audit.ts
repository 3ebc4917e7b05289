import { setImmediate } from 'node:timers/promises';
import { DriveMcpError } from '../core/errors.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { exportLine } from '../store/chain.js';
import { openAuditReader, type RecordFilter } from '../store/reader.js';
import { showAudit } from './audit-show.js';
import { verifyAudit } from './audit-verify.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { countOption } from './count-option.js';

/** What a record can be about, as the chain writes it. */
const recordKinds = [
  'decision',
  'act',
  'mode',
  'source',
  'rulepack',
  'expert',
  'authorisation',
  'monitor',
  'heartbeat',
  'run',
  'store',
] as const;

export const commands: readonly CommandSpec[] = [
  {
    path: ['audit', 'verify'],
    summary: 'recomputes the hash chain and says where it breaks',
    arity: [0, 0],
    options: {
      file: { type: 'string', value: 'F|-', help: 'an export instead of the state directory; - reads stdin' },
      epoch: { type: 'string', value: 'N', help: 'only this epoch of the state directory' },
    },
    details:
      'Checks numbers, links and hashes of every record, the head kept beside the database, and the table of\n' +
      'runs. Exit code 1 where anything differs, also in an epoch that was set aside as damaged. A chain without a\n' +
      'key shows damage and careless changes; whoever owns the disk can rewrite it whole. Compare the head with\n' +
      'one you have noted elsewhere.',
    examples: [
      ['drivemcp audit verify', 'the audit store of this machine'],
      ['drivemcp audit export | drivemcp audit verify --file -', 'an export, as its receiver would'],
    ],
    run: verifyAudit,
  },
  {
    path: ['audit', 'show'],
    summary: 'lists the runs, or the records of one',
    arity: [0, 0],
    options: {
      run: { type: 'string', value: 'ID', help: 'records of this run; `latest` for the last one' },
      kind: { type: 'string', value: 'KIND', help: recordKinds.join(', '), choices: recordKinds },
      'from-tick': { type: 'string', value: 'N', help: 'from this tick on' },
      'to-tick': { type: 'string', value: 'N', help: 'up to and including this tick' },
      limit: { type: 'string', value: 'N', help: 'at most so many lines (default 200; 0 = all)' },
    },
    details: 'Works beside a running daemon. Without --run, --kind or a tick it lists the runs.',
    examples: [
      ['drivemcp audit show', 'all runs, oldest first'],
      ['drivemcp audit show --run latest --kind act', 'every ACT of the last run'],
      ['drivemcp audit show --from-tick 800 --to-tick 820 --json', 'records as they are in the chain'],
    ],
    run: showAudit,
  },
  {
    path: ['audit', 'export'],
    summary: 'prints the records, exactly as they were hashed, one a line',
    arity: [0, 0],
    options: {
      run: { type: 'string', value: 'ID', help: 'only this run; `latest` for the last one' },
      epoch: { type: 'string', value: 'N', help: 'only this epoch' },
      'from-seq': { type: 'string', value: 'N', help: 'from this number on' },
    },
    details:
      'Canonical JSON (RFC 8785), with and without --json alike. To verify a line: take `hash` out, SHA-256 over\n' +
      '`prev_hash` as 32 raw bytes followed by the canonical JSON of the rest gives `hash` again.',
    examples: [
      ['drivemcp audit export > chain.jsonl', 'the whole chain'],
      ['drivemcp audit export --run latest', 'the records of the last run'],
    ],
    run: exportAudit,
  },
];

async function exportAudit({ values, terminal, signal }: Invocation): Promise<number> {
  const reader = openAuditReader(resolveStateDir(stringOption(values, 'state')));
  try {
    const runId = stringOption(values, 'run');
    const epoch = countOption(values, 'epoch');
    const fromSeq = countOption(values, 'from-seq');
    const filter: RecordFilter = {
      ...(runId === undefined ? {} : { run: reader.run(runId === 'latest' ? undefined : runId) }),
      ...(epoch === undefined ? {} : { epoch }),
      ...(fromSeq === undefined ? {} : { fromSeq }),
    };
    if (epoch !== undefined && !reader.epochs.some((file) => file.epoch === epoch)) {
      const names = [...new Set(reader.epochs.map((file) => file.epoch))].join(', ');
      throw new DriveMcpError('FILE_MISSING', `there is no epoch ${epoch}: the epochs here are ${names}`, {
        location: { file: reader.stateDir },
        hint: 'give one of these with --epoch',
      });
    }
    let count = 0;
    for (const record of reader.records(filter)) {
      terminal.verbatimLine(exportLine(record));
      if (++count % 1000 !== 0) continue;
      await setImmediate();
      if (signal.aborted) throw new DriveMcpError('STOPPED_EARLY', `stopped after ${count} records`);
    }
    return 0;
  } finally {
    reader.close();
  }
}
