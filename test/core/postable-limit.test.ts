import t from 'tap';
import { isPostableLimit } from '../../daemon/core/world/jurisdiction-profiles.js';

t.test('numbers that a limit sign can show, by country', async (t) => {
  const cases: [number, 'km/h' | 'mph', string | null, boolean][] = [
    [130, 'km/h', 'DEU', true],
    [140, 'km/h', 'DEU', false],
    [140, 'km/h', 'POL', true],
    [150, 'km/h', 'POL', false],
    [150, 'km/h', 'CZE', true],
    [155, 'km/h', 'CZE', false],
    [150, 'km/h', null, false],
    [47, 'km/h', 'CZE', false],
    [70, 'mph', 'GBR', true],
    [75, 'mph', 'GBR', false],
    [85, 'mph', 'USA', true],
  ];
  for (const [value, unit, country, expected] of cases)
    t.equal(isPostableLimit(value, unit, country), expected, `${value} ${unit} ${country}`);
});
