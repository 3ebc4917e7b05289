/** ACT needs root's word: for this machine, this configuration, some hours, in a file that nobody else could have made. */
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import {
  authorisationObject,
  judgeAuthorisation,
  readAuthorisation,
} from '../../daemon/core/act/authorisation.js';
import { AuthorisationWatch, hostId, lookAtAuthorisation } from '../../daemon/runtime/act-authorisation.js';
import { drivemcp } from '../helpers/command.js';
import { busyTown, serveWorld } from '../hil/serve-world.js';

const hour = 3_600_000;
const configHash = 'a'.repeat(64);
const token = { hostId: 'b'.repeat(64), configHash, issuedMs: 1000 * hour, expiresMs: 1002 * hour };
const here = { hostId: token.hostId, configHash, nowMs: 1001 * hour };

t.test('the token: every reason, and the boundaries', (t) => {
  const reason = (change: Partial<typeof token>, where: Partial<typeof here> = {}) => {
    const verdict = judgeAuthorisation({ ...token, ...change }, { ...here, ...where });
    return verdict.isAuthorised ? 'yes' : verdict.reason;
  };
  t.equal(reason({}), 'yes');
  t.equal(reason({ hostId: 'c'.repeat(64) }), 'other_host');
  t.equal(reason({ configHash: 'c'.repeat(64) }), 'other_configuration');
  t.equal(reason({}, { nowMs: token.issuedMs }), 'yes');
  t.equal(reason({}, { nowMs: token.issuedMs - 1 }), 'not_yet');
  t.equal(reason({}, { nowMs: token.expiresMs - 1 }), 'yes');
  t.equal(reason({}, { nowMs: token.expiresMs }), 'expired');
  t.equal(reason({ expiresMs: token.issuedMs + 8 * hour }), 'yes');
  t.equal(reason({ expiresMs: token.issuedMs + 8 * hour + 1 }), 'too_long');
  t.equal(reason({ expiresMs: token.issuedMs }), 'too_long');
  t.strictSame(readAuthorisation(authorisationObject(token)), token);
  fc.assert(fc.property(fc.anything(), (value) => readAuthorisation(value) === null));
  for (const [key, value] of [
    ['expires_ms', '1'],
    ['host_id', 'B'.repeat(64)],
    ['authorisation', 2],
    ['extra', 1],
  ] as const)
    t.equal(readAuthorisation({ ...authorisationObject(token), [key]: value }), null, key);
  t.end();
});

const notRoot = process.getuid?.() === 0 ? false : 'only root can make such files';

t.test('the file: whose it is and who could have changed it', { skip: notRoot }, async (t) => {
  const folder = t.testdir();
  const path = join(folder, 'act.json');
  const made = await drivemcp([
    'act',
    'authorise',
    '--config-hash',
    configHash,
    '--for',
    '30m',
    '--file',
    path,
  ]);
  t.equal(made.code, 0, made.stderr);
  const look = (at = path, hash = configHash, nowMs = Date.now()) => {
    const verdict = lookAtAuthorisation(at, hash, nowMs);
    return verdict.isAuthorised ? 'yes' : verdict.reason;
  };
  t.equal(look(), 'yes');
  t.equal(look(path, 'd'.repeat(64)), 'other_configuration');
  t.equal(look(path, configHash, Date.now() + hour), 'expired');
  t.equal(look(join(folder, 'none')), 'no_token');
  for (const mode of [0o644, 0o660, 0o602, 0o666]) {
    chmodSync(path, mode);
    t.equal(look(), 'unsafe_file', mode.toString(8));
  }
  chmodSync(path, 0o640);
  symlinkSync(path, join(folder, 'link'));
  t.equal(look(join(folder, 'link')), 'unsafe_file', 'a link');
  linkSync(path, join(folder, 'second'));
  t.equal(look(), 'unsafe_file', 'two names');
  rmSync(join(folder, 'second'));
  t.equal(look(folder), 'unsafe_file', 'a folder');
  chownSync(path, 65_534, 65_534);
  t.equal(look(), 'unsafe_file', 'of somebody else');
  chownSync(path, 0, 0);
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  renameSync(path, join(shared, 'act.json'));
  t.equal(look(join(shared, 'act.json')), 'unsafe_file', 'in a folder that others may write');
  renameSync(join(shared, 'act.json'), path);
  writeFileSync(path, 'x'.repeat(5000));
  t.equal(look(), 'unsafe_file', 'too long');
  writeFileSync(path, '{"authorisation":1}');
  t.equal(look(), 'malformed');
});

t.test('what was given can be taken back while it runs', { skip: notRoot }, async (t) => {
  const path = join(t.testdir(), 'act.json');
  await drivemcp(['act', 'authorise', '--config-hash', configHash, '--file', path]);
  let nowMs = Date.now();
  const watch = new AuthorisationWatch(path, configHash, () => nowMs);
  t.equal(watch.verdict.isAuthorised, true);
  rmSync(path);
  t.equal(watch.verdict.isAuthorised, true, 'looked at once a second');
  nowMs += 1000;
  t.equal(watch.verdict.isAuthorised, false);
  t.match(watch.takeEntries(), [
    { kind: 'authorisation', body: { authorised: true } },
    { kind: 'authorisation', body: { authorised: false, reason: 'no_token' } },
  ]);
});

t.test('commands: usage, and no for everybody else', async (t) => {
  t.match(await drivemcp(['act', 'authorise', '--config-hash', 'x']), { code: 2 });
  t.match(await drivemcp(['act', 'authorise', '--config-hash', configHash, '--for', '9h']), {
    code: 2,
    stderr: /1m to 8h/,
  });
  t.match(await drivemcp(['act', 'status', '--config-hash', configHash, '--file', '/nonexistent/act.json']), {
    code: 1,
    stdout: /there is no authorisation/,
  });
  t.match(hostId(), /^[0-9a-f]{64}$/);
  const elsewhere = await drivemcp(['run', '--act', 'carla', '--state', t.testdir()]);
  t.match(elsewhere, { code: 2, stderr: /only in run --carla/ });
});

t.test(
  'run --act carla: refused and on record without a token, nothing else differs',
  { skip: notRoot },
  async (t) => {
    const { server } = await serveWorld(t, '0.9.15', busyTown);
    const state = join(t.testdir(), 'state');
    const file = join(t.testdir({ x: {} }), 'act.json');
    writeFileSync(
      join(t.testdirName, 'drivemcp.toml'),
      `[act]\nsink = "carla"\nauthorisation_file = "${file}"\n`,
    );
    const args = [
      'run',
      '--carla',
      `127.0.0.1:${server.ports.rpc}`,
      '--duration-s',
      '3',
      '--config',
      join(t.testdirName, 'drivemcp.toml'),
      '--state',
      state,
      '--json',
    ];
    const refused = await drivemcp(args);
    t.equal(refused.code, 0, refused.stderr);
    const hash = /--config-hash ([0-9a-f]{64})/.exec(refused.stderr)?.[1] ?? '';
    t.match(refused.stderr, /ACT is not authorised \(no_token/);
    const shown = await drivemcp(['audit', 'show', '--kind', 'authorisation', '--state', state, '--json']);
    t.match(shown.stdout, /"reason":"no_token"/);
    await drivemcp(['act', 'authorise', '--config-hash', hash, '--file', file]);
    const allowed = await drivemcp(args);
    t.equal(allowed.code, 0, allowed.stderr);
    t.notMatch(allowed.stderr, /not authorised/);
    const again = await drivemcp(['audit', 'show', '--kind', 'authorisation', '--state', state, '--json']);
    t.match(again.stdout, /"authorised":true/);
    t.notMatch(readFileSync(file, 'utf8'), /undefined/);
  },
);
