/** Bounds of another clock's offset: they hold whatever the network and the clocks do, and narrow as exchanges come. */
import fc from 'fast-check';
import t from 'tap';
import {
  type ClockExchange,
  type ClockState,
  clockAt,
  driftMaxPpm,
  hearExchange,
  noClock,
} from '../../hil/act/link/clock-offset.js';

/** How long the ways took, µs of our clock. */
interface Ways {
  readonly thereUs: number;
  readonly backUs: number;
  readonly answerUs: number;
}

/** Another clock, whose rate may change at any time. */
class Theirs {
  #atUs = 0;
  #aheadUs: number;
  ppm = 0;

  constructor(aheadUs: number) {
    this.#aheadUs = aheadUs;
  }

  /** their time at `ourUs`, which never goes back */
  at(ourUs: number): number {
    this.#aheadUs += ((ourUs - this.#atUs) * this.ppm) / 1e6;
    this.#atUs = ourUs;
    return ourUs + this.#aheadUs;
  }

  set(byUs: number): void {
    this.#aheadUs += byUs;
  }
}

function exchangeAt(t1: number, theirs: Theirs, ways: Ways): ClockExchange {
  const received = t1 + ways.thereUs;
  const answered = received + ways.answerUs;
  return { t1, t2: theirs.at(received), t3: theirs.at(answered), t4: answered + ways.backUs };
}

const us = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });
const ways = fc.record({ thereUs: us(50_000), backUs: us(50_000), answerUs: us(5_000) });
const course = fc.record({
  aheadUs: fc.integer({ min: -1e12, max: 1e12 }),
  parts: fc.array(
    fc.record({
      gapUs: fc.integer({ min: 1000, max: 20_000_000 }),
      ppm: fc.double({ min: -driftMaxPpm, max: driftMaxPpm, noNaN: true }),
      way: ways,
    }),
    { minLength: 1, maxLength: 60 },
  ),
});
/** Stamps of 10^12 µs have a rounding of 10^-4 µs each. */
const roundingUs = 0.01;

t.test('the offset is within its bounds, however lopsided the ways are and whatever the clocks do', (t) => {
  fc.assert(
    fc.property(course, us(30_000_000), ({ aheadUs, parts }, laterUs) => {
      const theirs = new Theirs(aheadUs);
      let state: ClockState = noClock;
      let nowUs = 0;
      for (const { gapUs, ppm, way } of parts) {
        theirs.ppm = ppm;
        nowUs += gapUs;
        const exchange = exchangeAt(nowUs, theirs, way);
        nowUs = exchange.t4;
        state = hearExchange(state, exchange);
        const found = clockAt(state, nowUs);
        const truthUs = theirs.at(nowUs) - nowUs;
        if (found === null || Math.abs(found.offsetUs - truthUs) > found.uncertaintyUs + roundingUs)
          return false;
      }
      const later = clockAt(state, nowUs + laterUs);
      const truthUs = theirs.at(nowUs + laterUs) - nowUs - laterUs;
      if (later === null || Math.abs(later.offsetUs - truthUs) > later.uncertaintyUs + roundingUs)
        return false;
      return state.resets === 0 && state.rejected === 0;
    }),
  );
  t.end();
});

t.test('what was known before only helps: never wider than the last exchange alone', (t) => {
  fc.assert(
    fc.property(course, ({ aheadUs, parts }) => {
      const theirs = new Theirs(aheadUs);
      let state: ClockState = noClock;
      let nowUs = 0;
      for (const { gapUs, ppm, way } of parts) {
        theirs.ppm = ppm;
        const exchange = exchangeAt(nowUs + gapUs, theirs, way);
        nowUs = exchange.t4;
        state = hearExchange(state, exchange);
        const alone = clockAt(hearExchange(noClock, exchange), nowUs);
        const found = clockAt(state, nowUs);
        if (found === null || alone === null) return false;
        if (found.uncertaintyUs > alone.uncertaintyUs + roundingUs) return false;
      }
      return state.recent.length <= 32 && state.best.length <= 24;
    }),
  );
  t.end();
});

t.test('a constant drift is within its own bounds, and they narrow over two minutes', (t) => {
  fc.assert(
    fc.property(
      fc.double({ min: -driftMaxPpm, max: driftMaxPpm, noNaN: true }),
      fc.array(ways, { minLength: 200, maxLength: 200 }),
      (ppm, all) => {
        const theirs = new Theirs(5e6);
        theirs.ppm = ppm;
        let state: ClockState = noClock;
        let nowUs = 0;
        for (const way of all) {
          nowUs += 600_000;
          state = hearExchange(state, exchangeAt(nowUs, theirs, way));
          const drift = clockAt(state, nowUs + 200_000)?.drift;
          if (drift === null && nowUs > 20_000_000) return false;
          if (drift && Math.abs(drift.ppm - ppm) > drift.uncertaintyPpm + 0.01) return false;
        }
        return state.resets === 0;
      },
    ),
    { numRuns: 30 },
  );
  t.end();
});

t.test('a quiet wire: under 200 µs, and the drift to a few ppm', (t) => {
  const theirs = new Theirs(-7_654_321_000);
  theirs.ppm = 23;
  let state: ClockState = noClock;
  let seed = 1;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const jitterUs = (): number => Math.floor(60 + (random() < 0.2 ? 4000 * random() : 60 * random()));
  for (let i = 0; i < 1200; i++)
    state = hearExchange(
      state,
      exchangeAt(i * 100_000, theirs, { thereUs: jitterUs(), backUs: jitterUs(), answerUs: 40 }),
    );
  const found = clockAt(state, 120_000_000);
  t.ok(found !== null && found.uncertaintyUs < 200, `± ${found?.uncertaintyUs} µs`);
  const { ppm = 0, uncertaintyPpm = 99 } = found?.drift ?? {};
  t.ok(Math.abs(ppm - 23) <= uncertaintyPpm && uncertaintyPpm < 4, `${ppm} ± ${uncertaintyPpm} ppm`);
  t.match(state, { accepted: 1200, rejected: 0, resets: 0 });
  t.end();
});

t.test('a clock that is set begins anew and is right again with the next exchange', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000_000, max: 1e9 }),
      fc.boolean(),
      fc.array(ways, { minLength: 1, maxLength: 10 }),
      ways,
      (jumpUs, isBack, before, after) => {
        const theirs = new Theirs(5000);
        let state: ClockState = noClock;
        let nowUs = 0;
        for (const way of before) {
          nowUs += 250_000;
          state = hearExchange(state, exchangeAt(nowUs, theirs, way));
        }
        theirs.set(isBack ? -jumpUs : jumpUs);
        const exchange = exchangeAt(nowUs + 250_000, theirs, after);
        state = hearExchange(state, exchange);
        const found = clockAt(state, exchange.t4);
        const truthUs = theirs.at(exchange.t4) - exchange.t4;
        return (
          state.resets === 1 &&
          found !== null &&
          Math.abs(found.offsetUs - truthUs) <= found.uncertaintyUs + roundingUs
        );
      },
    ),
  );
  t.end();
});

t.test('stamps that no clocks can give are rejected and change nothing', (t) => {
  const good = hearExchange(noClock, { t1: 0, t2: 1000, t3: 1100, t4: 300 });
  t.match(clockAt(good, 300), { offsetUs: 900, drift: null });
  for (const wrong of [
    { t1: 10, t2: 1000, t3: 999, t4: 20 },
    { t1: 10, t2: 1000, t3: 1000, t4: 9 },
    { t1: 10, t2: 1000, t3: 1100, t4: 50 },
    { t1: 10, t2: Number.NaN, t3: 1000, t4: 20 },
    { t1: 10, t2: Number.POSITIVE_INFINITY, t3: Number.POSITIVE_INFINITY, t4: 20 },
    { t1: 10, t2: 2 ** 60, t3: 2 ** 60, t4: 20 },
    { t1: -500, t2: 500, t3: 500, t4: -400 },
  ])
    t.strictSame(hearExchange(good, wrong), { ...good, rejected: 1 }, JSON.stringify(wrong));
  t.equal(clockAt(noClock, 0), null);
  const any = fc.record({ t1: fc.double(), t2: fc.double(), t3: fc.double(), t4: fc.double() });
  fc.assert(
    fc.property(fc.array(any), (all) => {
      const found = clockAt(all.reduce(hearExchange, noClock), 0);
      return found === null || (Number.isFinite(found.offsetUs) && found.uncertaintyUs >= 0);
    }),
  );
  t.end();
});
