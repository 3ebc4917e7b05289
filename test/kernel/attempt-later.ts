/** Loaded into a daemon by a test (node --import): tries to write to its CAN socket until that is denied, then ends it as Ctrl-C would. */
import { readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const firstCanDescriptor = 900;

function isDenied(): boolean {
  try {
    // Half a frame: where nothing denied it the kernel would refuse it as malformed, and nothing would be sent.
    writeSync(firstCanDescriptor, Buffer.alloc(8));
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ticks(): number {
  try {
    return (JSON.parse(readFileSync(process.env['STATUS_FILE'] ?? '', 'utf8')) as { tick: number }).tick;
  } catch {
    return -1;
  }
}

// Worker threads load this too.
if (isMainThread) {
  let deniedAtTick: number | null = null;
  const timer = setInterval(() => {
    if (deniedAtTick === null && isDenied()) deniedAtTick = Math.max(0, ticks());
    // A few ticks later, when the attempt must be on record.
    if (deniedAtTick === null || ticks() < deniedAtTick + 5) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGINT');
  }, 100);
}
