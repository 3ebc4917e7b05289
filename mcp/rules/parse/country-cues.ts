/**
 * What roads and signs tell of the country, as log-odds (practice: 3 = nearly certain alone, 1 = a hint). Panel
 * colours are weak (green motorways are Italian, Swiss, Czech, Swedish, Belgian, American), words are stronger.
 */

export interface CountryFacts {
  readonly side: 'left' | 'right';
  readonly unit: 'km/h' | 'mph';
}

const right: CountryFacts = { side: 'right', unit: 'km/h' };
const left: CountryFacts = { side: 'left', unit: 'km/h' };

export const countryFacts: Readonly<Record<string, CountryFacts>> = {
  DE: right,
  AT: right,
  CH: right,
  FR: right,
  BE: right,
  NL: right,
  LU: right,
  IT: right,
  ES: right,
  PL: right,
  CZ: right,
  GB: { side: 'left', unit: 'mph' },
  IE: left,
  US: { side: 'right', unit: 'mph' },
  SE: right,
  NO: right,
  DK: right,
  FI: right,
  JP: left,
};

export interface CountryCue {
  readonly pattern: RegExp;
  readonly odds: Readonly<Record<string, number>>;
  /** a panel, a sign family, a marking: not only words */
  readonly standsAtTheRoad: boolean;
}

const words = (pattern: string, odds: CountryCue['odds']): CountryCue => ({
  pattern: new RegExp(pattern, 'iu'),
  odds,
  standsAtTheRoad: false,
});
const thing = (pattern: string, odds: CountryCue['odds']): CountryCue => ({
  pattern: new RegExp(pattern, 'iu'),
  odds,
  standsAtTheRoad: true,
});
const motorway = '(?:motorway|autobahn|highway|freeway|autoroute|direction|guide|main[-\\s]road)';

/** The country said outright. */
const countryNames: Readonly<Record<string, string>> = {
  DE: 'Germany|Deutschland|Allemagne',
  AT: 'Austria|Österreich|Autriche',
  CH: 'Switzerland|Schweiz|Suisse|Svizzera',
  FR: 'France|Frankreich',
  BE: 'Belgium|Belgien|Belgique|België',
  NL: '(?:the\\s+)?Netherlands|Holland|Niederlande|Pays-Bas|Nederland',
  LU: 'Luxemb(?:o)?urg',
  IT: 'Italy|Italien|Italie|Italia',
  ES: 'Spain|Spanien|Espagne|España',
  PL: 'Poland|Polen|Pologne|Polska',
  CZ: 'Czechia|Czech\\s+Republic|Tschechien|Česko',
  GB: '(?:Great\\s+)?Britain|United\\s+Kingdom|\\bUK\\b|England|Wales|Scotland|Großbritannien',
  IE: '(?<!Northern\\s)Ireland|Irland|Irlande',
  US: 'United\\s+States|\\bUSA?\\b|America|California',
  SE: 'Sweden|Schweden|Suède|Sverige',
  NO: 'Norway|Norwegen|Norvège|Norge',
  DK: 'Denmark|Dänemark|Danemark|Danmark',
  FI: 'Finland|Finnland|Finlande|Suomi',
  JP: 'Japan|Japon',
};

export const countryCues: readonly CountryCue[] = [
  ...Object.entries(countryNames).map(([country, pattern]) =>
    thing(`(?<!not\\s)(?<!not\\sin\\s)(?<![\\p{L}])(?:${pattern})(?![\\p{L}])`, { [country]: 2 }),
  ),
  // languages
  words('\\bGerman\\b|auf\\s+deutsch|deutsche?\\b', { DE: 1.6, AT: 1, CH: 0.6, LU: 0.2 }),
  words('\\bFrench\\b|français|franz(?:ö|oe)sisch', { FR: 1.8, BE: 0.8, CH: 0.6, LU: 0.5 }),
  words('\\bDutch\\b|niederländisch|néerlandais', { NL: 1.8, BE: 1 }),
  words('\\bItalian\\b|italienisch', { IT: 2, CH: 0.6 }),
  words('\\bSpanish\\b|\\bCatalan\\b|\\bBasque\\b', { ES: 2 }),
  words('\\bPolish\\b|polnisch', { PL: 2.2 }),
  words('\\bCzech\\b|tschechisch', { CZ: 2.2 }),
  words('\\bIrish\\b(?!\\s+sea)|\\bGaeilge\\b', { IE: 2.5 }),
  words('\\bWelsh\\b|\\bScottish\\s+Gaelic\\b|\\bBritish\\b', { GB: 2.5 }),
  words('\\bSwedish\\b', { SE: 2.2 }),
  words('\\bNorwegian\\b', { NO: 2.2 }),
  words('\\bDanish\\b', { DK: 2.2 }),
  words('\\bFinnish\\b', { FI: 2.2 }),
  words('\\bJapanese\\b|日本|止まれ|徐行', { JP: 2.6 }),
  words(
    'German\\s+(?:and|,)\\s*French|French\\s+(?:and|,)\\s*German|German,\\s*French\\s+and\\s+Italian|Sortie\\s*\\/\\s*Ausfahrt',
    { CH: 2, LU: 0.8 },
  ),
  words(
    'bilingual[^.]*(?:Dutch|French|Uitrit|Sortie)|(?:Dutch\\s+and\\s+French|French\\s+and\\s+Dutch)|Uitgezonderd|Excepté',
    { BE: 2.5 },
  ),
  words('bilingual[^.]*Irish|Irish[^.]*bilingual', { IE: 1 }),
  // words on signs
  words('bei\\s+nässe', { DE: 1.5 }),
  words('umleitung|baustelle|anlieger|\\bausfahrt\\b', { DE: 1, AT: 0.7, CH: 0.3 }),
  words('ig-?l\\b|rettungsgasse|achtung\\s+stau|ausgenommen', { AT: 2.5 }),
  words('\\bgenerell\\b|uscita[^.]*ausfahrt|ausfahrt[^.]*uscita', { CH: 2.5 }),
  words('\\brappel\\b|péage|toutes\\s+directions|cédez\\s+le\\s+passage', { FR: 2.2, BE: 0.4 }),
  words('\\bsortie\\b', { FR: 1.4, BE: 0.8, CH: 0.6, LU: 0.5 }),
  words('let\\s+op\\b|rijd\\s+langzaam|woonerf|m\\.u\\.v\\.?|\\buit\\b', { NL: 2, BE: 0.6 }),
  words('\\buitrit\\b', { BE: 2 }),
  words('\\buscita\\b|rallentare|in\\s+caso\\s+di\\s+pioggia|senso\\s+unico', { IT: 2, CH: 0.4 }),
  words('\\bsalida\\b|cambio\\s+de\\s+sentido|reduzca', { ES: 2.2 }),
  words('\\bzjazd\\b|\\buwaga\\b|nie\\s+dotyczy', { PL: 2.5 }),
  words('\\bpozor\\b|\\bmimo\\b|\\bkonec\\b', { CZ: 2.2 }),
  words('reduce\\s+speed\\s+now|ahead\\s+only|\\bdiversion\\b|\\byards?\\b|please\\s+drive\\s+carefully', {
    GB: 1.8,
    IE: 0.4,
  }),
  words('give\\s+way', { GB: 1.4, NO: 0.1 }),
  words('\\bARAF\\b', { GB: 4 }),
  words('géill\\s+slí', { IE: 4 }),
  words('\\byield\\b', { IE: 1, US: 1 }),
  words('exit\\s+only|wrong\\s+way|\\binterstate\\b|\\bfreeway\\b', { US: 2.5 }),
  // things at the road
  thing('speed\\s+limit\\s*"?\\s*\\d+|["\']speed\\s+limit["\']|white\\s+rectang\\p{L}*', { US: 2.5 }),
  thing('yellow\\s+diamond', { US: 1.2, IE: 1.2 }),
  thing(`blue\\s+${motorway}|${motorway}[^.,;]{0,20}(?:signs?\\s+)?(?:are\\s+)?blue`, {
    DE: 0.5,
    AT: 0.5,
    FR: 0.5,
    NL: 0.5,
    LU: 0.3,
    ES: 0.5,
    PL: 0.4,
    GB: 0.5,
    IE: 0.4,
    NO: 0.3,
    DK: 0.3,
  }),
  thing(`green\\s+${motorway}|${motorway}[^.,;]{0,20}(?:signs?\\s+)?(?:are\\s+)?green`, {
    IT: 0.6,
    CH: 0.6,
    CZ: 0.6,
    SE: 0.5,
    BE: 0.4,
    US: 0.5,
    JP: 0.4,
  }),
  thing('yellow\\s+(?:town|place|city|village)[-\\s]*(?:name\\s+)?signs?|yellow\\s+ortsschild', {
    DE: 1.8,
    LU: 0.8,
  }),
  thing('red\\s+border[^.;]*(?:town|place|village)|(?:town|place|village)[^.;]*red\\s+border', { FR: 2 }),
  thing('(?:town|place|village)[^.;]*blue\\s+(?:frame|border)', { AT: 1.8 }),
  thing('blue\\s+(?:town|place|village)[-\\s]*(?:name\\s+)?signs?', { NL: 1.8, CH: 0.4 }),
  thing('yellow[-\\s]+(?:ground|background|backed)?\\s*(?:warning|triang)', { PL: 1.8 }),
  thing(
    'yellow[-\\s]+(?:ground|background)?\\s*(?:prohibition|limit)[^.;]*|yellow\\s+(?:disc|circle)s?\\s+with\\s+(?:a\\s+)?red',
    { SE: 1.6, FI: 1.6 },
  ),
  thing('yellow\\s+(?:direction|guide|main)[-\\s]+(?:road\\s+)?signs?', { DE: 1.5, LU: 0.4 }),
  thing('yellow\\s+(?:number|licen[cs]e|registration)\\s+plates', { NL: 0.6, LU: 0.5, GB: 0.3 }),
];
