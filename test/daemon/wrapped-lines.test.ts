import fc from 'fast-check';
import t from 'tap';
import { wrapped } from '../../daemon/cli/table.js';

t.test('long lines keep to the width, lose no word and hang by their indent', async (t) => {
  const words = fc.array(fc.stringMatching(/^[a-z0-9.]{1,15}$/), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(
      words,
      fc.integer({ min: 30, max: 120 }),
      fc.integer({ min: 0, max: 6 }),
      (list, width, indent) => {
        const lines = wrapped(list.join(' '), width, indent);
        const isWhole = lines.map((line) => line.trim()).join(' ') === list.join(' ');
        return (
          isWhole &&
          lines.every((line, i) => line.length <= width && (i === 0 || line.startsWith(' '.repeat(indent))))
        );
      },
    ),
  );
  t.same(wrapped('short', Number.POSITIVE_INFINITY, 2), ['short']);
  t.same(
    wrapped('x'.repeat(50), 40, 2),
    ['x'.repeat(40), `  ${'x'.repeat(10)}`],
    'a word longer than the line',
  );
  t.equal(wrapped('x'.repeat(50), 5, 6).join('').replaceAll(' ', '').length, 50, 'no width is too small');
});
