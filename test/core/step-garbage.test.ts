import t from 'tap';
import { measureCoreGarbage } from '../bench/measure-garbage.js';

t.test('a tick allocates less than 100 KB and the state does not grow', async (t) => {
  const garbage = await measureCoreGarbage();
  t.ok(garbage.bytesPerTick > 1000, `${garbage.bytesPerTick} bytes: nothing was collected meanwhile`);
  t.ok(garbage.bytesPerTick < 100_000, `${garbage.bytesPerTick} bytes a tick`);
  t.ok(garbage.keptBytesPerTick < 500, `${garbage.keptBytesPerTick} bytes a tick stay`);
  t.ok(garbage.stateBytes < 50_000, `${garbage.stateBytes} bytes of state`);
});
