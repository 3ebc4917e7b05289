/** The words that say which kind of limit a number is, and on which conditions and for whom it holds. */

const any = (...parts: string[]): RegExp => new RegExp(parts.join('|'), 'iu');

export const ended = any(
  '\\bend(?:s|ing|ed)?\\b(?!\\s+of\\s+(?:the\\s+)?(?:road|queue|day|week))',
  'crossed[-\\s]?(?:out|through)|struck[-\\s]?(?:out|through)|strike[-\\s]?through|(?:cross|slash|stripes?|lines?|bars?)\\s+through|cancel+(?:s|ed|ling|ation)?|lifted|no\\s+longer|derestriction|revoked|terminat(?:es|ed|ion)',
  '\\bende\\b|\\bendet\\b|aufgehoben|aufhebung|durchgestrichen|durchstrichen|\\bfin\\b|barré|levée|\\bfine\\b(?=\\s+(?:di|del|dell|limit|\\u0001?\\d|zona|prescri))|sbarrato|\\bfin(?:al)?\\s+(?:de|del)|tachado|einde|doorgestreept|koniec|przekreślon|konec|přeškrtnut',
);
export const endedAll = any(
  'end(?:s|ing)?\\s+of\\s+(?:all|any|previous|restrictions|prohibitions)|all\\s+(?:\\w+\\s+)?(?:restrictions|limits|prohibitions)\\s+(?:\\w+\\s+)?(?:end|lifted|cancel)|end\\s+all|all\\s+clear',
  'ende\\s+(?:aller|sämtlicher|der\\s+streckenverbote)|(?:alle|sämtliche)\\s+\\p{L}*(?:verbote|beschränkungen)\\s+(?:\\p{L}+\\s+)*aufgehoben',
  'fin\\s+de\\s+(?:toutes|tout)|fin\\s+des\\s+(?:interdictions|prescriptions)|fine\\s+(?:di\\s+)?tutt|fin\\s+de\\s+(?:todas|prohibiciones)|einde\\s+(?:van\\s+)?alle|koniec\\s+(?:wszystkich\\s+)?zakazów|konec\\s+všech',
);
/** A pale disc with dark diagonal strokes and no number: end of all restrictions, in Britain the national limit. */
export const strokedDisc = any(
  '(?:white|grey|gray|pale|weiß\\p{L}*|blanc\\p{L}*|bianc\\p{L}*|blanc[oa]|wit(?:te)?)\\s+(?:\\p{L}+\\s+){0,3}(?:circle|disc|disk|round|sign|kreis|schild|scheibe|rond|disque|panneau|cerchio|disco)[^.;]*(?:diagonal|black\\s+(?:bar|line|stripe|stroke)|slash|stripes?|schräg|streifen|balken|strich|barres?|obliques?|diagonale|sbarr)',
  '(?:black|grey|gray|dark)\\s+diagonal\\s+(?:bar|line|stripe|stroke)s?\\s+on\\s+(?:a\\s+)?white',
);
export const national = any('national\\s+(?:speed\\s+)?limit|\\bNSL\\b|national-?limit\\s+symbol');
export const minimum = any(
  '\\bminimum\\b|\\bmin\\.?\\s*(?=\\u0001?\\d)|at\\s+least|not\\s+(?:slower|less)\\s+than|mindest\\p{L}*|mindestens|minimal(?:e|geschwindigkeit)?\\s|vitesse\\s+minim|au\\s+moins|velocità\\s+minima|minimo|mínim[oa]|minimumsnelheid|prędkość\\s+minimalna|nejnižší',
  'blue\\s+(?:circle|disc|disk|round)|round\\s+blue|circular\\s+blue|blaue[rns]?\\s+(?:kreis|scheibe|rund\\p{L}*)|runde[sr]?\\s+blaue|(?:rond|disque|cercle)\\s+bleu|(?:cerchio|disco|tondo)\\s+blu|círculo\\s+azul',
);
export const advisory = any(
  'recommend(?:ed|ation|s)?|advis(?:ory|ed|able)|suggest(?:ed|ion|s)?\\s+speed|guide\\s+speed|richtgeschwindigkeit|empfohlen\\p{L}*|empfehl\\p{L}*|richttempo|conseillée?|recommandée?|vitesse\\s+de\\s+confort|consigliat[ao]|raccomandat[ao]|recomendad[ao]|aconsejad[ao]|adviessnelheid|geadviseerd|advies|zalecan\\p{L}*|doporučen\\p{L}*',
  'blue\\s+(?:square|rectang\\p{L}*|sign\\s+with\\s+(?:a\\s+)?white)|(?:square|rectangular)\\s+blue|blaues\\s+(?:quadrat\\p{L}*|rechteck\\p{L}*|viereck\\p{L}*)|(?:carré|panneau\\s+carré)\\s+bleu|quadrato\\s+blu|yellow\\s+(?:plate|plaque|panel|advisory)',
);
export const amberLanterns = any(
  'amber|flashing\\s+(?:yellow|orange)|no\\s+(?:red\\s+)?(?:ring|circle)|without\\s+(?:a\\s+)?(?:red\\s+)?(?:ring|circle)|not\\s+ringed|ohne\\s+(?:roten\\s+)?(?:ring|kreis)|sans\\s+(?:anneau|cercle)|plain\\s+digits|number\\s+(?:alone|only)',
);
export const redRing = any(
  '(?<!no\\s)(?<!without\\sa\\s)(?<!without\\s)(?<!no\\sa\\s)\\bred\\s+(?:ring|circle|border|rim|round)|ringed\\s+in\\s+red|in\\s+a\\s+ring|(?<!ohne\\s)rote[rnm]?\\s+(?:ring|kreis|rand)|(?:anneau|cercle|couronne)\\s+rouge|cerchio\\s+rosso|círculo\\s+rojo|rode\\s+(?:ring|cirkel)',
);
export const variableSign = any(
  'gantry|gantries|variable|electronic|digital|matrix|\\bled\\b|\\bvms\\b|\\bvsl\\b|overhead|dynamic|illuminated|light(?:ed)?\\s+sign|message\\s+sign|smart\\s+motorway',
  'schilderbrücke|wechselverkehrszeichen|verkehrsbeeinflussung|anzeige(?:tafel|brücke|querschnitt)?|elektronisch\\p{L}*|leuchtanzeige|led-\\p{L}+|portique|panneau\\s+(?:lumineux|à\\s+message)|(?:pannello|cartello)\\s+(?:luminoso|a\\s+messaggio)|pórtico|matrixbord|portaal',
);
export const fixedSign = any(
  'fixed|static|permanent|roadside|metal|painted|conventional|fest(?:es|e|er)?\\s+(?:schild|zeichen)|stationär\\p{L}*|fixe\\b',
);
export const zone = any(
  '(?<!school\\s)(?<!work\\s)(?<!schul)\\bzone\\b(?!\\s+(?:de\\s+travaux|scolaire))|tempo-?\\s*\\u0001?\\d+-?\\s*zone|\\bzona\\b|strefa|\\bzóna\\b',
);
export const walkingPace = any(
  "walking\\s+(?:pace|speed)|schritt(?:geschwindigkeit|tempo)|allure\\s+du\\s+pas|\\bau\\s+pas\\b|passo\\s+d'uomo|paso\\s+de\\s+(?:peatón|persona|hombre)|stapvoets",
);
export const livingStreet = any(
  'verkehrsberuhigte[rn]?\\s+bereich|spielstraße|living\\s+street|home\\s+zone|wohnstraße|begegnungszone|zone\\s+de\\s+rencontre|woonerf|zona\\s+residenziale|strefa\\s+zamieszkania|obytná\\s+zóna',
);
export const repeater = any(
  'rappel|repeat(?:er|ed|s|ing)?|reminder|wiederhol(?:t|ung|ungsschild|er)?|promemoria|recuerd[oa]|herhaling',
);
export const upcoming = any(
  '\\bahead\\b|upcoming|coming\\s+up|further\\s+on|approaching|starts?\\s+in|begins?\\s+in|\\bin\\s+\\d+\\s*(?:m|km|metres|meters|yards|yd|miles?|ft|feet)\\b|vorankündigung|voraus|angekündigt|\\bin\\s+\\d+\\s*m\\b|\\bà\\s+\\d+\\s*m\\b|dans\\s+\\d+|tra\\s+\\d+|\\ba\\s+\\d+\\s*m\\b|za\\s+\\d+\\s*m|over\\s+\\d+\\s*m',
);
/** Somebody changed the sign: what it shows now is no evidence. */
export const tampered = any(
  'tamper\\p{L}*|graffiti|vandali[sz]\\p{L}*|altered|spray(?:ed|-?paint\\p{L}*)|painted\\s+over|sticker\\s+(?:on|over)\\s+the\\s+sign|changed\\s+(?:from|to|\\u0001?\\d)|taped\\s+over|manipulier\\p{L}*|beschmiert|überklebt|übersprüht|vandalisé|tagué|modifié|manomess\\p{L}*',
);
export const redCross = any(
  'red\\s*-?\\s*(?:x|cross)|\\bredx\\b|(?:rotes?|roten)\\s+(?:x|kreuz)|croix\\s+rouge|croce\\s+rossa|(?:cruz|aspa)\\s+roja|rood\\s+kruis|lane\\s+\\p{L}*\\s*(?:is\\s+)?closed|gesperrt|voie\\s+(?:est\\s+)?(?:fermée|barrée)|closed\\s+lane',
);
export const hgv = any(
  '(?:for|applies\\s+to|only)\\s+(?:\\p{L}+\\s+){0,2}(?:trucks?|lorr(?:y|ies)|hgvs?|goods\\s+vehicles|heavy\\s+vehicles)|\\b(?:trucks?|lorr(?:y|ies)|hgvs?|goods\\s+vehicles)\\b|\\blkw\\b|lastwagen|lastkraftwagen|poids[-\\s]lourds?|\\bPL\\b|camions?|autocarri|camiones|vrachtwagens?|ciężarow\\p{L}*|nákladní\\p{L}*',
);
export const massLimit =
  /(?:over|above|more\s+than|exceeding|>|ab|über|ueber|plus\s+de|de\s+plus\s+de|oltre|más\s+de|boven|powyżej|nad)\s*(\d+(?:[.,]\d+)?)\s*(?:t\b|tonnes?|tons?|tonnen)/iu;

export const conditionWords: readonly (readonly [condition: string, pattern: RegExp])[] = [
  [
    'wet',
    any(
      'when\\s+(?:it\\s+is\\s+)?wet|if\\s+wet|in\\s+(?:the\\s+)?wet|wet\\s+(?:road|surface|weather\\s+plate|conditions|pavement|plate)|on\\s+wet|bei\\s+nässe|bei\\s+naesse|nasser\\s+fahrbahn|nässe|nasse\\s+fahrbahn|chaussée\\s+mouillée|sol\\s+mouillé|route\\s+mouillée|bagnat[oa]|mojad[oa]|nat\\s+wegdek|mokr[aeé]\\p{L}*',
    ),
  ],
  [
    'rain',
    any(
      "in\\s+(?:the\\s+|case\\s+of\\s+)?rain|when\\s+(?:it\\s+(?:is\\s+)?)?rain(?:s|ing|y)?|if\\s+(?:it\\s+)?rain|during\\s+rain|rain(?:y)?\\s+(?:plate|weather|conditions|cloud|symbol)|bei\\s+regen|par\\s+temps\\s+de\\s+pluie|temps\\s+de\\s+pluie|par\\s+(?:temps\\s+)?pluie|en\\s+cas\\s+de\\s+pluie|sous\\s+la\\s+pluie|quand\\s+il\\s+pleut|s'il\\s+pleut|pluie|pioggia|quando\\s+piove|lluvia|bij\\s+regen|deszcz|déšť|dešti",
    ),
  ],
  ['igl', any('\\big-?l\\b|immissionsschutz')],
  [
    'flashing',
    any(
      '(?:when|if|while)\\s+(?:the\\s+)?(?:\\p{L}+\\s+)?(?:lights?|beacons?|lamps?|lanterns?)?\\s*(?:are\\s+|is\\s+)?flash(?:ing|es)?|when\\s+lit|wenn\\s+\\p{L}+\\s+blink\\p{L}*|bei\\s+blinklicht|blinkend|clignotant|quand\\s+(?:\\p{L}+\\s+)*clignote\\p{L}*|lampeggiant',
    ),
  ],
  [
    'children_present',
    any(
      "children\\s+(?:are\\s+)?present|when\\s+children|wenn\\s+kinder|en\\s+présence\\s+d'enfants|presenza\\s+di\\s+bambini|presencia\\s+de\\s+niños",
    ),
  ],
];
