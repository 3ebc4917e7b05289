import t from 'tap';
import { isClear, judgeBitRate, usualBitRates } from '../../daemon/core/can/bit-rate.js';

const trial = (bitrate: number, frames: number, errorFrames: number) => ({ bitrate, frames, errorFrames });

t.test('the rate with frames and hardly an error is the one', async (t) => {
  const wrong = usualBitRates.filter((rate) => rate !== 250_000).map((rate) => trial(rate, 0, 400));
  t.same(judgeBitRate([...wrong, trial(250_000, 900, 3)]), { kind: 'found', bitrate: 250_000 });
  t.equal(isClear(trial(250_000, 900, 90)), true, 'a tenth of errors at most');
  t.equal(isClear(trial(250_000, 900, 91)), false);
  t.equal(isClear(trial(250_000, 9, 0)), false, 'a few frames may be noise');
  t.equal(isClear(trial(250_000, 10, 0)), true);
});

t.test('doubt, errors alone and silence are told apart', async (t) => {
  t.same(judgeBitRate([trial(500_000, 40, 400), trial(250_000, 0, 10)]), {
    kind: 'unsure',
    bitrate: 500_000,
  });
  t.same(judgeBitRate([trial(500_000, 0, 400), trial(250_000, 0, 0)]), { kind: 'errors_only' });
  t.same(judgeBitRate([trial(500_000, 0, 0)]), { kind: 'silent' });
  t.same(judgeBitRate([]), { kind: 'silent' });
});
