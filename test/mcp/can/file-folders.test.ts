import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { FileFolders } from '../../../mcp/can/files/file-folders.js';
import { caller, carFolder, toolsOver } from './tool-car.js';

t.test('a file is read inside the folders and nowhere else', async (t) => {
  const folder = carFolder();
  const parent = dirname(folder);
  writeFileSync(join(parent, 'secret.dbc'), 'VERSION ""\n');
  mkdirSync(join(parent, 'car-other'));
  writeFileSync(join(parent, 'car-other', 'a.dbc'), 'VERSION ""\n');
  mkdirSync(join(folder, 'sub'));
  symlinkSync(join(folder, 'car.dbc'), join(folder, 'sub', 'inside.dbc'));
  symlinkSync(join(parent, 'secret.dbc'), join(folder, 'out.dbc'));
  symlinkSync(parent, join(folder, 'up'));
  symlinkSync('/dev/zero', join(folder, 'zero.dbc'));
  symlinkSync('loop.dbc', join(folder, 'loop.dbc'));
  execFileSync('mkfifo', [join(folder, 'pipe.dbc')]);
  const folders = new FileFolders([folder]);
  const open = async (name: string): Promise<string> => {
    const file = await folders.open(name, 1000_000);
    await file.close();
    return file.name;
  };
  for (const name of ['car.dbc', './car.dbc', 'sub/../car.dbc', 'sub/inside.dbc', join(folder, 'car.dbc')]) {
    t.equal(await open(name), name);
  }
  for (const name of [
    '../secret.dbc',
    '../car-other/a.dbc',
    '..',
    '.',
    '',
    'out.dbc',
    'up/secret.dbc',
    'zero.dbc',
    '/etc/passwd',
    '/dev/zero',
    '/proc/self/environ',
    'sub/../../secret.dbc',
    join(parent, 'nothing.dbc'),
  ]) {
    await t.rejects(open(name), { code: 'TOOL_FILE_OUTSIDE' }, name);
  }
  await t.rejects(open('pipe.dbc'), { code: 'FILE_UNREADABLE', message: /regular/ });
  await t.rejects(open('sub'), { code: 'FILE_UNREADABLE', message: /regular/ });
  await t.rejects(open('loop.dbc'), { code: 'FILE_UNREADABLE' });
  await t.rejects(open('nothing.dbc'), { code: 'FILE_MISSING', location: { file: 'nothing.dbc' } });
  await t.rejects(open('nul\0.dbc'), { code: 'FILE_UNREADABLE' });
  await t.rejects(folders.open('car.dbc', 10), { code: 'TOOL_FILE_TOO_LARGE' });
  await t.rejects(new FileFolders([]).open('car.dbc', 10), {
    code: 'TOOL_FILE_OUTSIDE',
    message: /no folder/,
  });
  t.throws(() => new FileFolders([join(folder, 'car.dbc')]), { code: 'FILE_MISSING' });
  t.throws(() => new FileFolders([join(folder, 'none')]), { code: 'FILE_MISSING' });
});

t.test('a file that is open stays the same whatever happens to its name', async (t) => {
  const folder = carFolder();
  const path = join(folder, 'a.dbc');
  writeFileSync(path, 'first');
  const folders = new FileFolders([folder]);
  const file = await folders.open('a.dbc', 100);
  t.teardown(() => file.close());
  writeFileSync(join(folder, 'b'), 'other');
  renameSync(join(folder, 'b'), path);
  t.equal(String(await file.handle.readFile()), 'first');
  const second = await folders.open('a.dbc', 100);
  t.not(second.identity, file.identity);
  await second.close();
});

t.test('links that change while files are opened never lead outside', async (t) => {
  const folder = carFolder();
  const secret = join(dirname(folder), 'secret');
  writeFileSync(secret, 'secret');
  writeFileSync(join(folder, 'good'), 'public');
  const link = join(folder, 'link');
  const folders = new FileFolders([folder]);
  let isOver = false;
  const turning = (async () => {
    for (let i = 0; !isOver; i++) {
      rmSync(link, { force: true });
      if (i % 3 === 0) symlinkSync(secret, link);
      else if (i % 3 === 1) symlinkSync('good', link);
      else linkSync(join(folder, 'good'), link);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  let read = 0;
  for (let i = 0; i < 400; i++) {
    try {
      const file = await folders.open('link', 100);
      const text = String(await file.handle.readFile());
      await file.close();
      if (text !== 'public') t.fail(`read ${text}`);
      read++;
    } catch (error) {
      t.match((error as { code: string }).code, /^(TOOL_FILE_OUTSIDE|FILE_MISSING|FILE_UNREADABLE)$/);
    }
  }
  isOver = true;
  await turning;
  t.ok(read > 0, `${read} of 400 were readable`);
});

t.test('hostile DBC files and logs end in an answer or a located error', async (t) => {
  const folder = carFolder();
  const call = caller(toolsOver([folder]));
  writeFileSync(join(folder, 'huge.dbc'), '');
  truncateSync(join(folder, 'huge.dbc'), 17 * 1024 * 1024);
  await t.rejects(call('can_dbc_info', { file: 'huge.dbc' }), { code: 'TOOL_FILE_TOO_LARGE' });
  const signal = ' SG_ S0 : 0|1@1+ (1,0) [0|1] "" X\n';
  const count = 200_000;
  writeFileSync(join(folder, 'many.dbc'), `BO_ 1 M: 8 X\n${signal.repeat(count)}`);
  const many = await call('can_dbc_info', { file: 'many.dbc' });
  t.ok((many['signals_count'] as number) <= 65_536);
  t.equal(
    (many['findings'] as { errors: number }).errors > 0 || (many['signals_count'] as number) < count,
    true,
  );
  const distinct = Array.from({ length: 60_000 }, (_, i) => ` SG_ S${i} : 0|1@1+ (1,0) [0|1] "" X\n`).join(
    '',
  );
  writeFileSync(join(folder, 'onebit.dbc'), `BO_ 1 M: 8 X\n${distinct}`);
  const layout = await call('can_message_layout', { file: 'onebit.dbc', message: 'M' });
  t.equal(layout['shared_bits'], 1);
  t.ok(JSON.stringify(layout).length < 100_000);
  writeFileSync(
    join(folder, 'noise.dbc'),
    Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) & 255)),
  );
  t.equal((await call('can_dbc_check', { file: 'noise.dbc' }))['is_ok'], false);
  await t.rejects(call('can_decode_frame', { dbc: ['noise.dbc'], id: '1', data: '' }), {
    code: 'DBC_INVALID',
  });
  writeFileSync(join(folder, 'text.log'), 'this is no log\n'.repeat(100));
  await t.rejects(call('can_log_probe', { file: 'text.log' }), {
    code: 'LOG_FORMAT_UNKNOWN',
    location: { file: 'text.log' },
  });
  writeFileSync(join(folder, 'empty.log'), '');
  await t.rejects(call('can_log_probe', { file: 'empty.log' }), { code: 'LOG_NO_FRAMES' });
  unlinkSync(join(folder, 'huge.dbc'));
});

t.test('text of a file is shown without what nobody sees, and never long', async (t) => {
  const folder = carFolder();
  const comment = `speed \u202egnilaes\u202c \u{e0041}\u200b ${'x'.repeat(5000)}`;
  writeFileSync(
    join(folder, 'odd.dbc'),
    `BO_ 1 M: 8 X\n SG_ S : 0|8@1+ (1,0) [0|1] "\u200bkm/h" X\nCM_ SG_ 1 S "${comment}";\nCM_ BO_ 1 "ignore\nall";\n`,
  );
  const call = caller(toolsOver([folder]));
  const answer = JSON.stringify(await call('can_find_signals', { file: 'odd.dbc', query: 'speed' }));
  t.notMatch(answer, /[\u200b\u202e\u202c]|\u{e0041}/u);
  t.ok(answer.length < 1000);
  await t.rejects(call('can_find_signals', { file: 'odd.dbc', query: 'speed\u200b' }), {
    code: 'TOOL_ARGS_INVALID',
  });
});
