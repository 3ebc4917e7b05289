import fc from 'fast-check';
import t from 'tap';
import { canonicalJson } from '../../daemon/core/canonical.js';

t.test('the example of RFC 8785 §3.2.3 sorts by UTF-16 code units', async (t) => {
  const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
  const text = canonicalJson(Object.fromEntries(keys.map((key, index) => [key, index])));
  t.same(Object.keys(JSON.parse(text) as object), [
    '1',
    '\r',
    '\u0080',
    '\u00f6',
    '\u20ac',
    '\ud83d\ude00',
    '\ufb33',
  ]);
});

t.test('numbers are printed as RFC 8785 appendix B says', async (t) => {
  const cases: [number, string][] = [
    [0, '0'],
    [-0, '0'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [1e21, '1e+21'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
  ];
  for (const [value, text] of cases) t.equal(canonicalJson(value), text);
});

t.test('what has no JSON form is refused', async (t) => {
  t.throws(() => canonicalJson(Number.NaN), RangeError);
  t.throws(() => canonicalJson({ a: Number.POSITIVE_INFINITY }), RangeError);
  t.throws(() => canonicalJson('\ud800'), RangeError);
  t.throws(() => canonicalJson({ a: 1n }), TypeError);
});

t.test('parsing gives the value back and the order of members does not matter', async () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      let text: string;
      try {
        text = canonicalJson(value);
      } catch (error) {
        return error instanceof RangeError; // lone surrogates
      }
      return canonicalJson(JSON.parse(text)) === text;
    }),
  );
});
