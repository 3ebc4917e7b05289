import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { isoDate } from '../../daemon/core/civil-date.js';
import { sha256Hex } from '../../daemon/core/sha256.js';

const reference = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

t.test('SHA-256: vectors of FIPS 180-4, and agreement with the platform', async (t) => {
  t.equal(sha256Hex('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  t.equal(sha256Hex(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  for (let length = 0; length < 200; length++)
    t.equal(sha256Hex('é'.repeat(length)), reference('é'.repeat(length)));
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      (text) => sha256Hex(text) === reference(text),
    ),
  );
});

t.test('the date of a time agrees with the platform from 1970 to 9999', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (wallMs) => {
      return isoDate(wallMs) === new Date(wallMs).toISOString().slice(0, 10);
    }),
    { numRuns: 2000 },
  );
});
