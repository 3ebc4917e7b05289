/** The native parser, plan checks, decoder and profile table under AddressSanitizer and UndefinedBehaviorSanitizer. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';

const skip = spawnSync('g++', ['--version']).error !== undefined && 'no g++ to build the fuzz target with';
/** 10 million in the long form. */
const rounds = process.env['DRIVEMCP_FUZZ_ROUNDS'] ?? '100000';

t.test('pseudo-random frames and plans', { skip, timeout: 600_000 }, async (t) => {
  const target = join(t.testdir(), 'fuzz_decode');
  const sources = [
    'native/test/fuzz_decode.cc',
    ...['decoder', 'frame_parser', 'profile_table', 'reception'].map((name) => `native/can_rx/${name}.cc`),
  ];
  const build = spawnSync(
    'g++',
    [
      ...[
        '-std=c++17',
        '-O1',
        '-g',
        '-DSTANDALONE',
        '-fsanitize=address,undefined',
        '-fno-sanitize-recover=all',
      ],
      ...[
        '-Wall',
        '-Wextra',
        '-Werror',
        `-I${packageFile('native')}`,
        ...sources.map((file) => packageFile(file)),
        '-o',
        target,
      ],
    ],
    { encoding: 'utf8' },
  );
  t.equal(build.status, 0, build.stderr);
  // Some sandboxes do not let LeakSanitizer trace the process; leaks are not what is looked for here.
  const run = spawnSync(target, [rounds], {
    encoding: 'utf8',
    env: { ...process.env, ASAN_OPTIONS: 'detect_leaks=0' },
  });
  t.equal(run.status, 0, run.stderr);
  t.match(run.stdout, `${rounds} rounds`);
});
