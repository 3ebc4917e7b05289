import t from 'tap';
import { actLine, marginRange, ttcStar } from '../../daemon/core/params/reachability.js';
import { announceParams, validateParams } from '../../daemon/core/params/validation.js';
import {
  confirmTicks,
  countOurValues,
  createParams,
  type ParamOverrides,
  paramSections,
  presetDefinitions,
  presetNames,
} from '../../daemon/core/params.js';

const unit = /(Mps2|Mps|Us|S|M|C|V|Kpa|Pct|Ratio|Count)$/;

t.test('every value says its unit, whose it is and why', (t) => {
  for (const [section, entries] of Object.entries(paramSections)) {
    for (const [name, definition] of Object.entries(entries)) {
      t.match(name, unit, `${section}.${name}`);
      t.ok(definition.source.length > 5, `${section}.${name} has a source`);
      t.ok(Number.isFinite(definition.value));
    }
  }
  t.end();
});

t.test('every ramp of health has two ends', async (t) => {
  const names = Object.keys(paramSections.health);
  const onsets = names.filter((name) => name.includes('Onset'));
  t.ok(onsets.length > 8);
  for (const name of onsets) t.ok(names.includes(name.replace('Onset', 'Full')), name);
});

t.test('presets', (t) => {
  for (const preset of presetNames) t.same(validateParams(createParams(preset)), [], preset);

  const literal = createParams('paper-literal');
  t.equal(literal.adaptationFrozen, true);
  t.equal(literal.act.actCostRatio, 0.4);
  t.equal(literal.act.confidenceMinRatio, 0);
  t.equal(
    announceParams(literal),
    'advisory only: ACT unreachable (needs risk above 1.875, the largest is 1)',
  );

  const params = createParams('default');
  t.equal(announceParams(params), null);
  t.ok(Math.abs(params.act.actCostRatio - 0.4 * 0.15) < 1e-12);
  t.ok(Math.abs(params.act.errorCostRatio - 0.2 * 0.15) < 1e-12);
  t.equal(createParams('default', { freezeAdaptation: true }).adaptationFrozen, true);

  // The two action costs are the only numbers of Table II that differ.
  const printed = presetDefinitions('paper-literal');
  const changed = Object.entries(printed.act)
    .filter(([, definition]) => definition.origin === 'paper')
    .filter(([name, definition]) => params.act[name as 'marginRatio'] !== definition.value)
    .map(([name]) => name);
  t.same(changed, ['actCostRatio', 'errorCostRatio']);
  t.equal(countOurValues(params), countOurValues(literal) + 2);
  const moved = createParams('default', { overrides: { risk: { ttcHorizonS: 3 } } });
  t.equal(countOurValues(moved), countOurValues(params) + 1, 'an override of a printed value is ours');
  t.end();
});

t.test('reachability', (t) => {
  const literal = actLine(createParams('paper-literal'));
  t.equal(literal.isReachable, false);
  t.ok(Math.abs(literal.rStar - 1.875) < 1e-12);
  const params = createParams('default');
  t.ok(Math.abs(actLine(params).rStar - 0.6) < 1e-12);
  const star = ttcStar(params, 0.2, 0);
  t.ok(typeof star === 'number' && Math.abs(star - 1.25) < 1e-9);
  t.equal(ttcStar(params, 0.32, 0), null, 'exactly on the edge');
  t.ok(Math.abs(Number(ttcStar(params, 0.3199, 0)) - 0.00104166666) < 1e-9);
  t.ok(Math.abs(Number(ttcStar(params, 0.12, 1)) - 2.5) < 1e-9, 'exactly on the other edge');
  t.equal(ttcStar(params, 0.1, 1), 'always');
  t.equal(ttcStar(createParams('paper-literal'), 0.2, 1), null);
  const range = marginRange(params);
  t.ok(Math.abs(range.min - 0.12) < 1e-9);
  t.ok(Math.abs(range.max - 0.32) < 1e-9);
  t.end();
});

t.test('confirmation takes 200 ms and at least two ticks', (t) => {
  const params = createParams('default');
  const table: [hz: number, ticks: number][] = [
    [10, 2],
    [20, 4],
    [50, 10],
    [4, 2],
    [5, 2],
    [12, 3],
    [30, 6],
  ];
  for (const [hz, ticks] of table) t.equal(confirmTicks(1e6 / hz, params), ticks, `${hz} Hz`);
  t.end();
});

t.test('bad parameter sets are refused with the key', (t) => {
  const cases: [key: string, overrides: ParamOverrides][] = [
    ['act.actCostRatio', { act: { actCostRatio: -0.1 } }],
    ['act.errorCostRatio', { act: { errorCostRatio: -1e-12 } }],
    ['act.fatigueCostRatio', { act: { fatigueCostRatio: -0.05 } }],
    ['act.adviceBenefitRatio', { act: { adviceBenefitRatio: 1 } }],
    ['risk', { risk: { ttcWeightRatio: 0.7 } }],
    ['risk.ttcHorizonS', { risk: { ttcHorizonS: 0 } }],
    ['risk.ttcHorizonS', { risk: { ttcHorizonS: Number.NaN } }],
    ['act.marginRatio', { act: { marginRatio: Number.POSITIVE_INFINITY } }],
    ['adaptation.marginMinRatio', { adaptation: { marginMinRatio: 0.12 - 2e-9 } }],
    ['adaptation.marginMaxRatio', { adaptation: { marginMaxRatio: 0.32 } }],
    ['adaptation.confidenceMaxRatio', { adaptation: { confidenceMinRatio: 0.7, confidenceMaxRatio: 0.65 } }],
    ['act.marginRatio', { act: { marginRatio: 0.3 } }],
    ['act.marginRatio', { act: { marginRatio: 0.12 - 2e-9 } }],
    ['act.marginRatio', { act: { marginRatio: 0.26 + 2e-9 } }],
    ['act.actCostRatio', { act: { actCostRatio: 1.005 } }],
    ['risk', { risk: { healthWeightRatio: 0.105 } }],
    ['friction.brakeEffectivenessMinRatio', { friction: { brakeEffectivenessMinRatio: 1.005 } }],
    ['friction.frictionMaxRatio', { friction: { frictionMaxRatio: 0.04 } }],
    ['adaptation.marginMaxRatio', { adaptation: { marginMaxRatio: 0.32 - 5e-10 } }],
    ['adaptation.marginMaxRatio', { adaptation: { marginMaxRatio: 0.1 } }],
    ['act.confidenceMinRatio', { act: { confidenceMinRatio: 0.3 } }],
    ['act.confirmMinCount', { act: { confirmMinCount: 0 } }],
    ['act.durationMaxUs', { act: { durationMaxUs: 1000 } }],
    ['health.coolantFullC', { health: { coolantFullC: 105 } }],
    ['health.voltageRestingFullV', { health: { voltageRestingFullV: 12.2 } }],
    ['health.tyrePlacardKpa', { health: { tyrePlacardKpa: 0 } }],
    ['risk.tau', { risk: { tau: 2 } as never }],
    ['risk.toString', { risk: { toString: 2 } as never }],
    ['risk.ttcHorizonS', { risk: { ttcHorizonS: '2' } as never }],
    ['rss.responseTimeS', { rss: { responseTimeS: undefined } as never }],
  ];
  for (const [key, overrides] of cases) {
    const problems = validateParams(createParams('default', { overrides }));
    t.ok(
      problems.some((problem) => problem.key === key),
      `${key}: ${JSON.stringify(problems)}`,
    );
  }
  const fine: ParamOverrides[] = [
    { risk: { healthWeightRatio: 0.1 + 5e-10 } },
    { friction: { frictionMaxRatio: 0.05 } },
    { friction: { brakeEffectivenessMinRatio: 1 } },
    { act: { confirmMinCount: 1 } },
    { act: { durationMaxUs: 500_000 } },
    { act: { marginRatio: 0.12 } },
    { act: { marginRatio: 0.12 - 5e-10 } },
    { act: { marginRatio: 0.26 + 5e-10 } },
    { act: { confidenceMinRatio: 0.4 } },
    { act: { confidenceMinRatio: 0.8 } },
    { adaptation: { marginMinRatio: 0.2, marginMaxRatio: 0.2 } },
    { adaptation: { confidenceMinRatio: 0.6, confidenceMaxRatio: 0.6 } },
    { adaptation: { marginMaxRatio: 0.32 - 2e-9 } },
    { health: { tyrePlacardKpa: 0.5 } },
  ];
  for (const overrides of fine) {
    t.same(validateParams(createParams('default', { overrides })), [], JSON.stringify(overrides));
  }
  t.same(validateParams(createParams('paper-literal', { overrides: { act: { actCostRatio: 1 } } })), []);
  const broken = createParams('default', { overrides: { risk: { ttcHorizonS: Number.NaN } } });
  t.equal(validateParams(broken).length, 1, 'what follows from a bad number is not told');
  t.ok(
    validateParams({ preset: 'default', adaptationFrozen: false } as never).length > 50,
    'nothing there at all',
  );
  t.same(
    validateParams(createParams('default', { overrides: { adaptation: { marginMinRatio: 0.12 } } })),
    [],
    'the bound itself is fine in spite of float64',
  );
  t.same(
    validateParams(createParams('paper-literal', { overrides: { adaptation: { marginMinRatio: 0 } } })),
    [],
    'a frozen preset has no bounds to check',
  );
  t.end();
});
