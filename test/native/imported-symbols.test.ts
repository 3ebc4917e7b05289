/**
 * What the receive module can call at all. An allow-list: a list of forbidden names (send, write …) would miss
 * `syscall`, `ioctl`, `splice`, `io_uring_enter` and whatever comes next.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';

const canRx = packageFile('build', 'Release', 'can_rx.node');
const skip =
  (!existsSync(canRx) && 'native module missing: it is not built') ||
  (spawnSync('nm', ['--version']).error !== undefined && 'nm is not installed (package binutils)');

/** C library functions the receive module may use; none of them can put a byte on a descriptor. */
const allowed = new Set([
  ...[
    'socket',
    'bind',
    'setsockopt',
    'getsockopt',
    'if_nametoindex',
    'fcntl',
    'fcntl64',
    'dup',
    'close',
    'pipe2',
  ],
  ...['recvmmsg', 'ppoll', 'clock_gettime', '__errno_location', 'strerror', 'strlen', 'memcmp', 'bcmp'],
  ...['memcpy', 'memmove', 'memset', '__memcpy_chk', '__stack_chk_fail', 'abort', 'free', 'malloc'],
  ...[
    'pthread_create',
    'pthread_join',
    'pthread_mutex_lock',
    'pthread_mutex_unlock',
    'pthread_mutex_destroy',
  ],
  ...['pthread_sigmask', 'sigfillset', '__cxa_finalize', '__gmon_start__'],
  ...['_ITM_deregisterTMCloneTable', '_ITM_registerTMCloneTable', '_Unwind_Resume', '__gxx_personality_v0'],
  ...['__cxa_pure_virtual', '__cxa_throw_bad_array_new_length', '__cxa_guard_acquire', '__cxa_guard_release'],
]);
/** N-API, operator new and delete, and std::string. */
const allowedFamilies =
  /^(napi_\w+|_Zn[aw]m|_Zd[al]Pvm?|_ZSt9terminatev|_ZSt20__throw_length_errorPKc|_ZNK?St7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE\w+)$/;

function undefinedSymbols(file: string): string[] {
  return execFileSync('nm', ['-D', '--undefined-only', '--format=just-symbols', file], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().replace(/@.*$/, ''))
    .filter((name) => name !== '');
}

t.test('can_rx imports nothing that could send', { skip }, async (t) => {
  const symbols = undefinedSymbols(canRx);
  t.ok(symbols.includes('recvmmsg'), 'the list was read');
  t.same(
    symbols.filter((name) => !allowed.has(name) && !allowedFamilies.test(name)),
    [],
  );
});

t.test('can_rx is linked against nothing else', { skip }, async (t) => {
  const needed = [
    ...execFileSync('objdump', ['-p', canRx], { encoding: 'utf8' }).matchAll(/NEEDED\s+(\S+)/g),
  ].map((match) => match[1]);
  t.same(
    needed.filter((name) => !/^(libstdc\+\+|libgcc_s|libm|libc|ld-linux[-\w]*)\.so/.test(name ?? '')),
    [],
  );
});

t.test(
  'can_rx holds no system call instruction of its own',
  { skip: skip || (process.arch !== 'x64' && 'x86-64 only') },
  async (t) => {
    const code = execFileSync('objdump', ['-d', '--no-show-raw-insn', canRx], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    t.match(code, /\bcall\b/, 'the code was disassembled');
    t.notMatch(code, /\b(syscall|sysenter|int\s+\$0x80)\b/);
  },
);

t.test(
  'the list can fail: the host module, which talks to the service manager, does not pass it',
  { skip },
  async (t) => {
    const host = undefinedSymbols(packageFile('build', 'Release', 'host.node'));
    const foreign = host.filter((name) => !allowed.has(name) && !allowedFamilies.test(name));
    for (const name of ['send', 'sendto', 'syscall', 'prctl']) t.ok(foreign.includes(name), name);
  },
);

t.test('the module that asks ECUs has one way out: send, called in one place', { skip }, async (t) => {
  const symbols = undefinedSymbols(packageFile('build', 'Release', 'obd_tx.node'));
  const foreign = symbols.filter((name) => !allowed.has(name) && !allowedFamilies.test(name));
  t.same(foreign.sort(), ['prctl', 'recv', 'send', 'syscall'], 'prctl and syscall: its own seccomp filter');
  const calls = readdirSync(packageFile('native', 'obd_tx')).flatMap((file) =>
    [
      ...readFileSync(packageFile('native', 'obd_tx', file), 'utf8').matchAll(
        /(?<![\w.>:])(?:send|syscall)\([^)]*\)/g,
      ),
    ].map(([call]) => `${file}: ${call}`),
  );
  t.same(calls.sort(), [
    'isotp_socket.cc: send(fd_, data, length, 0)',
    'seal.cc: syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program)',
  ]);
});
