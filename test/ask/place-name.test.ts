import t from 'tap';
import { placeName } from '../../mcp/drivemcp/ask/place-name.js';

t.test('places are named in the driver’s language; one without a name stays as it is written', (t) => {
  for (const [place, en, de, fr] of [
    ['DEU', 'Germany', 'Deutschland', 'Allemagne'],
    ['GBR/WLS', 'Wales', 'Wales', 'pays de Galles'],
    ['BEL-BRU', 'Brussels', 'Brüssel', 'Bruxelles'],
    ['USA/CA', 'California', 'Kalifornien', 'Californie'],
    ['DEU/MYTOWN', 'Germany, MYTOWN', 'Deutschland, MYTOWN', 'Allemagne, MYTOWN'],
    ['XQZ', 'XQZ', 'XQZ', 'XQZ'],
    ['', '', '', ''],
    ['constructor', 'constructor', 'constructor', 'constructor'],
  ] as const)
    t.strictSame(
      [placeName(place, 'en'), placeName(place, 'de'), placeName(place, 'fr')],
      [en, de, fr],
      place,
    );
  t.end();
});
