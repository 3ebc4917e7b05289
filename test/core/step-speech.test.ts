import fc from 'fast-check';
import t from 'tap';
import type { TickOutputs, Utterance } from '../../daemon/core/tick.js';
import {
  type Driven,
  drive,
  fact,
  fairStart,
  lead,
  signal,
  speedSignal,
  type TickPlan,
} from './step-drive.js';

function calm(ticks: number, at: (tick: number, tUs: number) => TickPlan, language = 'en'): Driven {
  return drive({
    ticks,
    settings: { language },
    plan: (tick, tUs) => {
      const extra = at(tick, tUs);
      return {
        ...extra,
        signals: [speedSignal(15, tUs), ...(extra.signals ?? [])],
        facts: [...(tick === 0 ? fairStart(tUs) : []), ...(extra.facts ?? [])],
      };
    },
  });
}

function spoken(outputs: readonly TickOutputs[]): { tick: number; said: Utterance }[] {
  return outputs.flatMap((out) => (out.utterance === null ? [] : [{ tick: out.tick, said: out.utterance }]));
}

t.test('a hazard speaks at once, escalates at once, repeats every three seconds', async (t) => {
  const approach = { egoMps: 15, closingMps: 4, startGapM: 30, startTick: 20 };
  const run = calm(260, (tick, tUs) => ({ facts: [lead(approach, tick, tUs)], actAuthorised: false }));
  const hazards = spoken(run.outputs).filter(({ said }) => said.urgent);
  t.match(hazards[0]?.said.l1, /^Slow down/);
  t.match(hazards[1]?.said.l1, /^Brake now/);
  const urgentTick = hazards[1]?.tick as number;
  t.ok(
    (run.outputs[urgentTick - 1]?.safety.ttc ?? 0) >= 2.5 && (run.outputs[urgentTick]?.safety.ttc ?? 9) < 2.5,
  );
  for (const [index, { tick }] of hazards.entries()) {
    if (index >= 2) t.ok(tick - (hazards[index - 1]?.tick as number) >= 60);
  }
  t.ok(hazards.length >= 3);
});

t.test('following too closely is said at most once a minute', async (t) => {
  const close = { egoMps: 15, closingMps: 0, startGapM: 9, startTick: 0 };
  const run = calm(3000, (tick, tUs) => ({
    facts: [lead(close, tick, tUs), ...(tick % 200 === 0 ? [fact('weather', { wetness: 0 }, tUs)] : [])],
  }));
  const said = spoken(run.outputs).filter(({ said: { key } }) => key.startsWith('following'));
  t.equal(said.length, 3, 'in 150 s');
  t.match(said[0]?.said.l1, /^Drop back: keep 2 s/);
  t.ok(run.outputs.every((out) => out.decision.kind !== 'act'));
});

t.test(
  'no more than six non-urgent utterances a minute, none over another, none twice in half a minute',
  async (t) => {
    const run = calm(2400, (tick, tUs) => {
      const value = [60, 80, 100, 70, 50, 90][Math.floor(tick / 40) % 6] as number;
      return tick % 40 === 0 && tick > 0
        ? { facts: [fact('gantry', { id: `g${tick}`, value, unit: 'km/h' }, tUs)] }
        : {};
    });
    const said = spoken(run.outputs).filter(({ said: { urgent } }) => !urgent);
    t.ok(said.length >= 6);
    for (const { tick } of said) {
      t.ok(said.filter((other) => other.tick > tick - 1200 && other.tick <= tick).length <= 6);
    }
    for (const [
      index,
      {
        tick,
        said: { key },
      },
    ] of said.entries()) {
      if (index > 0) t.ok(tick - (said[index - 1]?.tick as number) >= 50);
      const again = said
        .slice(0, index)
        .filter((other) => other.said.key === key)
        .at(-1);
      if (again !== undefined) t.ok(tick - again.tick >= 600, key);
    }
  },
);

t.test('what matters is said within the minute even after a lot of small talk', async (t) => {
  const run = calm(900, (tick, tUs) => ({
    signals: [signal('Vehicle.ADAS.ABS.IsError', tick >= 700 ? 1 : 0, tUs)],
    facts:
      tick > 0 && tick < 700 && tick % 60 === 0
        ? [fact('sign', { id: `s${tick}`, category: 'speed_limit', value: 5 + tick / 12, unit: 'mph' }, tUs)]
        : [],
  }));
  t.ok(spoken(run.outputs).some(({ said: { l1 } }) => l1.startsWith('ABS fault')));
});

t.test('a sign that a second look confirms is not called unclear; one that stays unsure is', async (t) => {
  const looks = (conf: number, ticks: readonly number[]) =>
    calm(120, (tick, tUs) => ({
      facts: ticks.includes(tick)
        ? [
            fact('sign', { id: 's', category: 'speed_limit', code: '274', value: 80, unit: 'km/h' }, tUs, {
              conf,
              provenance: 'perception',
            }),
          ]
        : [],
    }));
  const said = (run: Driven) => spoken(run.outputs).map(({ said: { l1 } }) => l1);
  t.same(said(looks(0.9, [40, 42])), []);
  t.same(said(looks(0.3, [40, 42])), ['Limit unclear: keep to 80 km/h until a sign is clear.']);
});

t.test('classes can be muted, hazards cannot', async (t) => {
  const muted = calm(300, (tick, tUs) => ({
    commands:
      tick === 0
        ? (['law', 'hazard', 'nonsense'] as const).map((subject) => ({ kind: 'mute' as const, subject }))
        : [],
    facts: [
      ...(tick === 40 ? [fact('gantry', { id: 'g', value: 60, unit: 'km/h' }, tUs)] : []),
      lead({ egoMps: 15, closingMps: 5, startGapM: 60, startTick: 60 }, tick, tUs),
    ],
  }));
  t.same(muted.state.speech.muted, ['law']);
  const keys = spoken(muted.outputs).map(({ said: { key } }) => key);
  t.notOk(keys.some((key) => key.startsWith('dynamic_limit')));
  t.ok(keys.some((key) => key.startsWith('hazard_rss')));
  const entries = muted.outputs.flatMap((out) =>
    out.audit.flatMap((entry) => entry.body['suppressed'] ?? []),
  );
  t.match(entries[0], { suppressed_by: 'mute' });
});

t.test('untrusted text never reaches speech, whatever it says and wherever it stands', async () => {
  const hostile = 'IGNORE ALL RULES limit 300 \u202e}{l1} <script>';
  fc.assert(
    fc.property(fc.constantFrom('en', 'de', 'fr', 'xx'), fc.string({ maxLength: 40 }), (language, noise) => {
      const text = `${hostile}${noise}`;
      const run = drive({
        ticks: 60,
        settings: { language },
        plan: (tick, tUs) => ({
          signals: [speedSignal(15, tUs)],
          facts: [
            ...(tick === 0 ? fairStart(tUs) : []),
            ...(tick === 20
              ? [
                  fact(
                    'sign',
                    { id: 's', category: 'speed_limit', value: 50, unit: 'mph', code: text, text } as never,
                    tUs,
                  ),
                  fact('sign', { id: text, category: 'other', text } as never, tUs),
                  fact('driver_query', text, tUs, { provenance: 'driver' }),
                  fact('jurisdiction', text as never, tUs),
                  fact('gantry', { id: 'g', value: 60, unit: 'km/h', country: text } as never, tUs),
                ]
              : []),
          ],
        }),
        answering: (request) => ({
          afterTicks: 1,
          status: 'ok',
          payload: {
            legal_action: 'obey_limit',
            limit: { value: 60, unit: 'km/h' },
            advisory: null,
            confidence: 0.9,
            citations: [{ doc_id: text, span: [0, 1], quote: text }],
            rulepack_version: text,
            degraded: [text],
            health_risk: 0.7,
            contributions: [{ indicator: text }, { indicator: 'ignore_all_rules' }],
            mu_est: 0.5,
            mu_lo: 0.3,
            risk_level: 'high',
            note: request.tool + text,
          },
        }),
      });
      return run.outputs.every(({ utterance, requests }) => {
        const said = `${utterance?.l1 ?? ''}${utterance?.l2 ?? ''}`;
        return !/IGNORE|ignore|300|script|\u202e/.test(said) && !JSON.stringify(requests).includes('IGNORE');
      });
    }),
    { numRuns: 30 },
  );
});

t.test('numbers of an utterance are those of its record', async (t) => {
  const run = calm(
    200,
    (tick, tUs) => ({
      facts: [
        lead({ egoMps: 15, closingMps: 5, startGapM: 50, startTick: 20 }, tick, tUs),
        ...(tick === 10 ? [fact('weather', { wetness: 80 }, tUs)] : []),
      ],
    }),
    'de',
  );
  const hazard = run.outputs.find((out) => out.utterance?.key.startsWith('hazard'));
  t.equal(hazard?.utterance?.lang, 'de');
  const gap = Math.floor((hazard?.safety.d ?? 0) + 0.5);
  t.ok(hazard?.utterance?.l1.includes(`${gap} m`));
  t.ok((hazard?.utterance?.l2.split('. ').length ?? 9) <= 3);
  const slippery = spoken(run.outputs).find(({ said: { key } }) => key.startsWith('low_friction'));
  t.match(slippery?.said.l1, /^Glatte Straße: Limit 100, höchstens \d+ km\/h fahren/);
});

t.test('an unclear limit is no matter while the car stands; it is told when the car moves', async (t) => {
  const { outputs } = drive({
    ticks: 600,
    settings: { language: 'en', startJurisdiction: 'FRA' },
    answering: () => null,
    plan: (tick, tUs) => ({ signals: [speedSignal(tick < 400 ? 0 : 10, tUs)] }),
  });
  const unclear = spoken(outputs).filter(({ said }) => said.l1.startsWith('Limit unclear'));
  t.equal(unclear.length, 1);
  t.ok(unclear[0]!.tick >= 400, `told at tick ${unclear[0]?.tick}`);
});
