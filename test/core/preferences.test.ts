import fc from 'fast-check';
import t from 'tap';
import { messageClasses } from '../../daemon/core/explain/message-class.js';
import { applyPreferences } from '../../daemon/core/preferences.js';
import { defaultSettings } from '../../daemon/core/settings.js';
import type { OperatorCommand } from '../../daemon/core/tick.js';
import { type Approach, drive, fact, fairStart, lead, speedSignal } from './step-drive.js';

const prefer = (subject: string, value: string): OperatorCommand => ({ kind: 'prefer', subject, value });

t.test('preferences change what they name, nonsense changes nothing', async (t) => {
  const set = applyPreferences(defaultSettings, [
    prefer('language', 'de'),
    prefer('units', 'mph'),
    prefer('verbosity', 'brief'),
  ]);
  t.match(set, { language: 'de', displayUnit: 'mph', verbosity: 'brief' });
  fc.assert(
    fc.property(fc.string(), fc.string(), (subject, value) => {
      const after = applyPreferences(defaultSettings, [prefer(subject, value)]);
      return after === defaultSettings || ['language', 'units', 'verbosity'].includes(subject);
    }),
  );
});

t.test('whatever is muted and however little is to be said: a hazard is spoken', async (t) => {
  const near: Approach = { egoMps: 20, closingMps: 10, startGapM: 40, startTick: 10 };
  const spoken = (muted: readonly string[], commands: readonly OperatorCommand[]) =>
    drive({
      ticks: 80,
      settings: { muted, verbosity: 'brief' },
      plan: (tick, tUs) => ({
        signals: [speedSignal(20, tUs)],
        facts: [...(tick === 0 ? fairStart(tUs) : []), lead(near, tick, tUs)],
        commands: tick === 0 ? commands : [],
        actAuthorised: false,
      }),
    }).outputs.flatMap(({ utterance }) => (utterance?.urgent ? [utterance.l1] : []));
  const plain = spoken([], []);
  t.ok(plain.length > 0);
  const muteAll = messageClasses.map((subject): OperatorCommand => ({ kind: 'mute', subject }));
  t.same(spoken([...messageClasses], muteAll), plain);
});

t.test('language and brevity take effect on the tick that sets them', async (t) => {
  const run = (commands: readonly OperatorCommand[], muted: readonly string[] = []) =>
    drive({
      ticks: 120,
      settings: { muted },
      plan: (tick, tUs) => ({
        signals: [speedSignal(10, tUs)],
        facts: [
          ...(tick === 0 ? fairStart(tUs) : []),
          ...(tick === 40 ? [fact('gantry', { id: 'g1', value: 80, unit: 'km/h' }, tUs)] : []),
        ],
        commands: tick === 0 ? commands : [],
      }),
    }).outputs;
  const words = (outputs: ReturnType<typeof run>) =>
    outputs.flatMap(({ utterance }) => utterance?.lang ?? []);
  t.ok(words(run([])).every((lang) => lang === 'en') && words(run([])).length > 0);
  t.ok(words(run([prefer('language', 'de')])).every((lang) => lang === 'de'));
  t.same(words(run([], ['law'])), [], 'muted from the start');
});
