/**
 * Our own drawings of sign faces, by name: SVG with a width of 200 and text in named fonts. Colours have three hex digits,
 * so that the atlas keeps them exactly. Shapes and colours follow the catalogues of the countries; proportions are ours.
 */
const red = '#c11';
const black = '#111';
const white = '#fff';
const blue = '#05a';
const yellow = '#fc0';
const green = '#063';
const grey = '#888';
const han = 'Noto Sans CJK SC';
const kana = 'Noto Sans CJK JP';

const text = (words, y, size, { fill = black, family = 'Noto Sans', stretch = 'condensed', x = 100 } = {}) =>
  `<text x="${x}" y="${y}" text-anchor="middle" font-family="${family}" font-weight="700" font-stretch="${stretch}" font-size="${size}" fill="${fill}">${words}</text>`;
const square = (body) => ({ width: 200, height: 200, body });
const wide = (body) => ({ width: 200, height: 100, body });
const circle = (fill, r) => `<circle cx="100" cy="100" r="${r}" fill="${fill}"/>`;
const path = (d, fill) => `<path d="${d}" fill="${fill}"/>`;
const line = (d, stroke, width) => `<path d="${d}" stroke="${stroke}" stroke-width="${width}" fill="none"/>`;
const board = (fill, frame, h = 100) =>
  `<rect x="2" y="2" width="196" height="${h - 4}" rx="10" fill="${frame}"/><rect x="7" y="7" width="186" height="${h - 14}" rx="6" fill="${fill}"/>`;
const digits = (value, fill, size2 = 122, size3 = 92) => {
  const size = value < 100 ? size2 : size3;
  return text(String(value), 100 + size * 0.357, size, {
    fill,
    stretch: value < 100 ? 'semi-condensed' : 'condensed',
  });
};
const ring = (inside) => square(circle(white, 99) + circle(red, 96) + circle(white, 74) + inside);
const lifted = (stroke) =>
  [-22, -11, 0, 11, 22]
    .map((d) => line(`M ${38 + d * 0.7} ${162 + d * 0.7} L ${162 + d * 0.7} ${38 + d * 0.7}`, stroke, 5))
    .join('');
const ended = (inside) => square(circle(black, 97) + circle(white, 93) + inside + lifted(black));
const warning = (inside, ground = white, frame = red) =>
  square(
    path('M100 10 L196 182 Q198 190 190 190 L10 190 Q2 190 4 182 Z', frame) +
      path('M100 46 L168 170 L32 170 Z', ground) +
      inside,
  );
const giveWay = (ground, words) =>
  square(
    path('M4 18 Q2 10 10 10 L190 10 Q198 10 196 18 L100 190 Z', red) +
      path('M32 30 L168 30 L100 154 Z', ground) +
      words,
  );
const octagon = (words) =>
  square(
    path('M59 2 L141 2 L198 59 L198 141 L141 198 L59 198 L2 141 L2 59 Z', white) +
      path('M62 9 L138 9 L191 62 L191 138 L138 191 L62 191 L9 138 L9 62 Z', red) +
      words,
  );
/** A car from behind above two curling tracks. */
const skid = `${path('M76 108 L82 90 L118 90 L124 108 L124 124 L76 124 Z', black)}${line('M84 126 q-14 10 0 18 q14 8 0 18', black, 6)}${line('M116 126 q-14 10 0 18 q14 8 0 18', black, 6)}`;
const cars = (left, right) =>
  [
    [68, left],
    [132, right],
  ]
    .map(
      ([x, fill]) =>
        path(`M${x - 26} 118 v-18 l8 -4 l6 -18 h24 l6 18 l8 4 v18 z`, fill) +
        `<rect x="${x - 22}" y="116" width="10" height="10" fill="${fill}"/><rect x="${x + 12}" y="116" width="10" height="10" fill="${fill}"/>`,
    )
    .join('');
const stars = (cx, cy, r, size) =>
  Array.from({ length: 12 }, (_, i) => {
    const [x, y] = [cx + r * Math.sin((i * Math.PI) / 6), cy - r * Math.cos((i * Math.PI) / 6)];
    const points = Array.from({ length: 10 }, (_, k) => {
      const reach = k % 2 === 0 ? size : size * 0.4;
      return `${(x + reach * Math.sin((k * Math.PI) / 5)).toFixed(2)} ${(y - reach * Math.cos((k * Math.PI) / 5)).toFixed(2)}`;
    });
    return path(`M${points.join(' L')} Z`, yellow);
  }).join('');
const border = (...words) =>
  square(
    `<rect x="2" y="2" width="196" height="196" rx="8" fill="${white}"/><rect x="6" y="6" width="188" height="188" rx="6" fill="#039"/>${stars(100, 100, 74, 13)}` +
      words
        .map((word, i) =>
          text(word, 106 + (i - (words.length - 1) / 2) * 34, word.length > 8 ? 18 : 24, { fill: white }),
        )
        .join(''),
  );
const plate = (words, size = 40, options = {}) => {
  const lines = words.split('|');
  return wide(
    board(white, black) +
      lines
        .map((word, i) =>
          text(word, 50 + size * 0.36 + (i - (lines.length - 1) / 2) * size * 1.05, size, options),
        )
        .join(''),
  );
};
const skyline = (fill) =>
  path(
    'M20 84 V56 H40 V44 L56 30 L72 44 V56 H84 V22 L94 8 L104 22 V50 H120 V38 H150 V54 H164 L180 44 V84 Z',
    fill,
  );
const led = (inside) =>
  square(
    `<rect width="200" height="200" rx="8" fill="#222"/><rect x="5" y="5" width="190" height="190" fill="#000"/>${inside}`,
  );
const dotRing = Array.from({ length: 44 }, (_, i) => {
  const a = (i * Math.PI) / 22;
  return `<circle cx="${(100 + 84 * Math.sin(a)).toFixed(2)}" cy="${(100 - 84 * Math.cos(a)).toFixed(2)}" r="6" fill="#f22"/><circle cx="${(100 + 72 * Math.sin(a)).toFixed(2)}" cy="${(100 - 72 * Math.cos(a)).toFixed(2)}" r="5" fill="#f22"/>`;
}).join('');
const ledPlate = (words, size = 36) => {
  const lines = words.split('|');
  return wide(
    `<rect width="200" height="100" rx="6" fill="#222"/><rect x="4" y="4" width="192" height="92" fill="#000"/>${lines.map((word, i) => text(word, 50 + size * 0.36 + (i - (lines.length - 1) / 2) * size * 1.05, size, { fill: white })).join('')}`,
  );
};
const tens = (from, to) => Array.from({ length: (to - from) / 10 + 1 }, (_, i) => from + 10 * i);
const named = (values, name, draw) =>
  Object.fromEntries(values.map((value) => [`${name}-${value}`, draw(value)]));

export const drawings = {
  ...named(
    Array.from({ length: 28 }, (_, i) => 5 * (i + 1)),
    'limit',
    (value) => ring(digits(value, black)),
  ),
  ...named([20, 30, 40, 50, 60, 80, 100, 120], 'limit-jpn', (value) => ring(digits(value, blue))),
  ...named(tens(20, 130), 'limit-end', (value) => ended(digits(value, grey))),
  'zone-30': square(
    board(white, black, 200) +
      `<g transform="translate(30 6) scale(.7)">${ring(digits(30, black)).body}</g>` +
      text('ZONE', 184, 40),
  ),
  'zone-20': square(
    board(white, black, 200) +
      `<g transform="translate(30 6) scale(.7)">${ring(digits(20, black)).body}</g>` +
      text('ZONE', 184, 40),
  ),
  'end-all': ended(''),
  national: square(circle(black, 99) + circle(white, 95) + line('M42 158 L158 42', black, 26)),
  'no-overtaking': ring(cars(red, black)),
  'no-overtaking-end': ended(cars(grey, grey)),
  yield: giveWay(white, ''),
  'yield-pol': giveWay(yellow, ''),
  'yield-gbr': giveWay(white, text('GIVE', 62, 30) + text('WAY', 92, 30)),
  'yield-chn': giveWay(white, text('让', 90, 56, { family: han, stretch: 'normal' })),
  stop: octagon(text('STOP', 124, 72, { fill: white })),
  'stop-jpn': square(
    path('M4 18 Q2 10 10 10 L190 10 Q198 10 196 18 L100 190 Z', red) +
      line('M22 21 L178 21 L100 163 Z', white, 5) +
      text('止まれ', 70, 38, { fill: white, family: kana, stretch: 'normal' }),
  ),
  'stop-chn': octagon(text('停', 140, 112, { fill: white, family: han, stretch: 'normal' })),
  'slow-jpn': square(
    path('M4 18 Q2 10 10 10 L190 10 Q198 10 196 18 L100 190 Z', red) +
      path('M20 21 L180 21 L100 165 Z', white) +
      text('徐行', 78, 52, { fill: blue, family: kana, stretch: 'normal' }),
  ),
  priority: square(
    path('M100 3 L197 100 L100 197 L3 100 Z', black) +
      path('M100 8 L192 100 L100 192 L8 100 Z', white) +
      path('M100 38 L162 100 L100 162 L38 100 Z', yellow),
  ),
  danger: warning(
    `<rect x="91" y="84" width="18" height="48" rx="5" fill="${black}"/><circle cx="100" cy="150" r="11" fill="${black}"/>`,
  ),
  'danger-pol': warning(
    `<rect x="91" y="84" width="18" height="48" rx="5" fill="${black}"/><circle cx="100" cy="150" r="11" fill="${black}"/>`,
    yellow,
  ),
  slippery: warning(skid),
  'slippery-pol': warning(skid, yellow),
  'slippery-chn': warning(skid, yellow, black),
  'slippery-jpn': square(
    path('M100 3 L197 100 L100 197 L3 100 Z', black) +
      path('M100 11 L189 100 L100 189 L11 100 Z', yellow) +
      `<g transform="translate(-30 -40) scale(1.3)">${skid}</g>`,
  ),
  'keep-left': square(
    circle(white, 99) +
      circle(blue, 95) +
      path('M44 152 L44 84 L64 104 L132 36 L164 68 L96 136 L116 156 Z', white),
  ),
  'keep-right': square(
    circle(white, 99) +
      circle(blue, 95) +
      path('M156 152 L156 84 L136 104 L68 36 L36 68 L104 136 L84 156 Z', white),
  ),
  'town-deu': wide(board(yellow, black) + text('Musterdorf', 48, 36) + text('Kreis Musterland', 80, 20)),
  'town-deu-end': wide(board(yellow, black) + text('Musterdorf', 64, 36) + line('M12 90 L188 10', red, 9)),
  'town-fra': wide(board(white, red) + text('MUSTERDORF', 62, 30)),
  'town-cze': wide(board(white, black) + text('Musterdorf', 64, 36)),
  'town-pol': wide(board(white, black) + skyline(black)),
  'border-deu': border('Bundesrepublik', 'Deutschland'),
  'border-fra': border('FRANCE'),
  'border-pol': border('Rzeczpospolita', 'Polska'),
  'border-cze': border('ČESKÁ', 'REPUBLIKA'),
  'border-gbr': square(
    board(green, white, 200) +
      text('WELCOME TO THE', 52, 22, { fill: white }) +
      text('UNITED KINGDOM', 84, 22, { fill: white }) +
      line('M20 100 L180 100', white, 3) +
      text('DRIVE ON THE LEFT', 132, 20, { fill: yellow }) +
      text('speeds in mph', 166, 25, { fill: white }),
  ),
  'wet-deu': plate('bei Nässe'),
  'wet-fra': plate('PAR TEMPS|DE PLUIE', 32),
  'wet-cze': plate('ZA DEŠTĚ'),
  'wet-pol': plate('podczas|deszczu', 36),
  'wet-gbr': plate('WHEN WET', 38),
  'wet-jpn': plate('雨天時', 52, { family: kana, stretch: 'normal' }),
  'wet-chn': plate('雨天', 56, { family: han, stretch: 'normal' }),
  'text-deu': plate('Rollsplitt'),
  'text-fra': plate('RAPPEL', 44),
  'text-cze': plate('KLUZKÁ|VOZOVKA', 34),
  'text-pol': plate('UWAGA!|ŚLISKO', 36),
  'text-gbr': wide(
    board(red, white) + text('REDUCE SPEED', 47, 27, { fill: white }) + text('NOW', 80, 30, { fill: white }),
  ),
  'text-jpn': plate('スリップ注意', 30, { family: kana, stretch: 'normal' }),
  'text-chn': plate('雨天路滑|减速慢行', 38, { family: han, stretch: 'normal' }),
  'time-22-6': plate('22-6 h', 50),
  'time-7-17': plate('Mo-Fr|7-17 h', 38),
  ...named(tens(10, 140), 'led', (value) => led(dotRing + digits(value, white, 108, 78))),
  'led-dark': led(''),
  'led-cross': led(line('M40 40 L160 160 M160 40 L40 160', '#f22', 20)),
  'led-arrow': led(path('M86 30 H114 V110 H146 L100 170 L54 110 H86 Z', '#2f6')),
  'led-end': led(line('M40 160 L160 40 M28 148 L148 28 M52 172 L172 52', white, 7)),
  'led-wet-deu': ledPlate('bei Nässe', 40),
  'led-wet-fra': ledPlate('PAR TEMPS|DE PLUIE', 32),
  'led-wet-cze': ledPlate('ZA DEŠTĚ', 40),
  'led-wet-pol': ledPlate('podczas|deszczu'),
  'led-wet-gbr': ledPlate('WHEN WET', 38),
  'led-wet-jpn': wide(
    `<rect width="200" height="100" rx="6" fill="#222"/><rect x="4" y="4" width="192" height="92" fill="#000"/>${text('雨天時', 69, 52, { fill: white, family: kana, stretch: 'normal' })}`,
  ),
  'led-wet-chn': wide(
    `<rect width="200" height="100" rx="6" fill="#222"/><rect x="4" y="4" width="192" height="92" fill="#000"/>${text('雨天', 70, 56, { fill: white, family: han, stretch: 'normal' })}`,
  ),
  unknown: square(board('#ccc', grey, 200)),
};
