import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import t from 'tap';
import { openStore } from '../../daemon/store/open-store.js';
import { fixtureScript } from '../helpers/paths.js';
import { allRecords, verify } from './store-fixture.js';

/** Rounds of kill -9; DRIVEMCP_KILL_ROUNDS=1000 for the long form. */
const rounds = Number(process.env['DRIVEMCP_KILL_ROUNDS'] ?? 15);

interface Witness {
  /** heads the store had acknowledged: number → hash, of the last epoch it named */
  readonly acknowledged: Map<number, string>;
  phase: string;
  readonly notices: string[];
}

function watch(child: ChildProcess, witness: Witness, onPhase: (phase: string) => void): Promise<unknown> {
  const lines = createInterface({ input: child.stdout! });
  lines.on('line', (line) => {
    const [word, ...rest] = line.split(' ');
    if (word === 'phase') {
      witness.phase = rest.join(' ');
      onPhase(witness.phase);
    } else if (word === 'ack' && rest.length === 3) {
      witness.acknowledged.set(Number(rest[1]), rest[2]!);
    } else if (word === 'notice') {
      witness.notices.push(line);
    }
  });
  return Promise.all([once(lines, 'close'), once(child, 'exit')]);
}

t.test(`kill -9 at ${rounds} instants: opens, gapless, verifies, nothing acknowledged is lost`, async (t) => {
  t.setTimeout(60_000 + rounds * 5000);
  let stateDir = t.testdir({});
  const killed: Record<string, number> = {};
  let checked = 0;
  let pruned = 0;
  for (let round = 0; round < rounds; round++) {
    // A small store is pruned all the time; a few records only and the child closes by itself.
    const isSmall = round % 3 === 1;
    const isShort = round % 5 === 2;
    const limits = isSmall ? ['400000'] : ['100000000'];
    if (isShort) limits.push('40');
    const script = fixtureScript('store', 'append-child.js');
    const child = spawn(process.execPath, [script, stateDir, ...limits], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const witness: Witness = { acknowledged: new Map(), phase: 'start', notices: [] };
    const aim = isShort ? 'close' : round % 4 === 0 ? 'open' : 'append';
    const span = aim === 'append' ? 400 : 30;
    await watch(child, witness, (phase) => {
      if (phase === aim) setTimeout(() => child.kill('SIGKILL'), Math.random() * span);
    });
    killed[witness.phase] = (killed[witness.phase] ?? 0) + 1;

    const store = await openStore({ stateDir, maxBytes: 100_000_000 });
    const notices = [...witness.notices, ...store.notices];
    await store.close();
    const records = allRecords(stateDir);
    const first = records[0]?.seq ?? 1;
    const [report] = await verify(stateDir);
    const problems = [
      ...notices,
      ...(report?.problem ? [`${report.problem.seq}: ${report.problem.reason}`] : []),
      ...(records.every((record, i) => record.seq === first + i) ? [] : ['numbers with gaps']),
    ];
    if (first > 1) pruned++;
    const bySeq = new Map(records.map((record) => [record.seq, record.hash]));
    for (const [seq, hash] of witness.acknowledged) {
      if (seq < first) continue;
      checked++;
      if (bySeq.get(seq) !== hash) problems.push(`acknowledged record ${seq} is lost or another`);
    }
    t.strictSame(problems, [], `round ${round}, killed in phase ${witness.phase}, ${records.length} records`);
    if (records.length > 20_000) {
      rmSync(stateDir, { recursive: true });
      stateDir = t.testdir({});
    }
  }
  t.comment(
    `killed by phase: ${JSON.stringify(killed)}; acknowledged heads checked: ${checked}; pruned: ${pruned}`,
  );
  t.ok(checked > rounds, 'the harness has seen acknowledgements');
});
