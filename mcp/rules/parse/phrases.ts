/**
 * The words by which an answer says what kind of thing a number is: one pattern a concept, over English, German,
 * French, Italian, Spanish, Dutch, Polish and Czech. Patterns see clean text (see clean-text.ts), without regard to case.
 */

const any = (...parts: string[]): RegExp => new RegExp(parts.join('|'), 'iu');
/** whole words only */
const word = (...parts: string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'iu');

/** An answer is a description. Whoever gives orders to the reader is not describing a sign. */
export const instruction = any(
  'ignore\\s+(?:all\\s+|any\\s+|the\\s+|your\\s+|my\\s+|these\\s+|everything)*\\s*(?:previous|prior|above|earlier|preceding|instruction|rule|limit|sign|what|system|safety)',
  'disregard|forget\\s+(?:all|everything|previous|your|the\\s+(?:above|previous|limit|rules))|override|overrule|bypass',
  'system\\s*(?:prompt|message|note|:)|developer\\s+mode|jailbreak|you\\s+are\\s+now|you\\s+must|new\\s+instructions?|as\\s+an?\\s+(?:ai|assistant)',
  '(?:^|[.!?:;"\\n]\\s*|\\band\\s+|\\bthen\\s+|\\bplease\\s+)(?:report|output|respond|reply|answer|return|print|say|write|set|raise|increase|change|accelerate|speed\\s+up|execute|run|call|switch|disable|mute|treat|assume|pretend|act\\s+as)\\s+(?:with\\s+|a\\s+|an\\s+|the\\s+|that\\s+|to\\s+|as\\s+|all\\s+|your\\s+|limit|speed|max|tool|pack|now|hazard|[0-9"\\u0001])',
  '\\b(?:ignorier|missachte|vergiss|vergessen\\s+sie|überschreib|ueberschreib|umgehe)',
  '(?<![\\p{L}])(?:antworte|melde|gib|setze|stelle|beschleunige|erhöhe|erhoehe|sage)\\s+(?:mit|ein|eine|das|den|die|auf|\\d|\\u0001)',
  '(?<![\\p{L}])(?:ignorez|ignore\\s+les|oubliez|oublie|réponds|répondez|signalez\\s+une|règle\\s+la\\s+limite|fixez)',
  '(?<![\\p{L}])(?:ignora|dimentica|rispondi|imposta|olvida|responde|negeer|vergeet|zignoruj|ignoruj)(?![\\p{L}])',
  '<\\|?\\s*(?:im_start|im_end|system|user|assistant|endoftext)|\\[/?(?:inst|system)\\]|###\\s*(?:system|instruction)|(?:assistant|system|user)\\s*:',
  'rm\\s+-rf|<script|\\bdrop\\s+table\\b|\\$\\{|\\beval\\(',
);

export const noSign = word(
  'none',
  'no(?:\\s+(?:visible|speed|limit|traffic|road|legible|such|relevant))*\\s+(?:signs?|signage|limits?\\s+signs?|limit\\s+(?:is\\s+)?(?:visible|shown|posted))(?:\\s+\\w+)?',
  "nothing|not\\s+(?:visible|present|shown|any)|cannot\\s+see|can't\\s+see|do(?:n't|\\s+not)\\s+see|there\\s+(?:is|are)\\s+no|without\\s+a\\s+sign",
  'kein(?:e|en|er)?|nichts|nicht\\s+(?:vorhanden|sichtbar|zu\\s+sehen)',
  "aucun(?:e)?|rien|pas\\s+de\\s+panneau|il\\s+n'y\\s+a\\s+pas",
  'nessun(?:o)?|niente|ningun[ao]?|ningún|nada|geen|brak|żaden|žádn[áýé]|no|nope|nein|non',
);
export const unreadable = word(
  'unclear|unreadable|illegible|not\\s+(?:readable|legible|clear|recogni[sz]able|sure\\s+what)|blurr(?:y|ed)|obscured|occluded|covered|hidden|too\\s+(?:far|small|dark|blurry)|damaged|dirty|overexposed|glare',
  "can(?:no|')?t\\s+(?:read|tell|make\\s+out|determine|identify)|unable\\s+to\\s+(?:read|tell|determine|see)|could\\s+not\\s+(?:read|be\\s+read)|unknown|undefined|null|nan|n/?a|not\\s+available|tbd|error",
  'unleserlich|nicht\\s+(?:lesbar|erkennbar|zu\\s+(?:lesen|erkennen)|eindeutig)|unklar|unbekannt|verdeckt|verschneit|verschmutzt|unscharf',
  'illisible|pas\\s+lisible|inconnu|flou|masqué|illeggibile|sconosciuto|ilegible|desconocido|onleesbaar|onbekend|nieczytelny|nečitelný',
);
export const blank = word(
  'blank|switched\\s+off|turned\\s+off|is\\s+off|are\\s+off|dark|not\\s+lit|unlit|not\\s+(?:active|illuminated|in\\s+operation)|inactive|off|empty|shows\\s+nothing|no\\s+(?:display|indication|message|symbols?)',
  'aus(?:geschaltet)?|dunkel|leer|ohne\\s+anzeige|zeigt\\s+nichts(?:\\s+an)?|inaktiv|keine\\s+anzeige',
  "éteint(?:e|s|es)?|vide|rien\\s+d'affiché|spent[oi]|apagad[oa]s?|uit|wygaszon[eay]|zhasnut[áýé]",
);
export const noLimit = word(
  'no\\s+(?:speed\\s+)?limit(?!\\s+(?:sign|is\\s+(?:visible|shown|posted)))|unlimited|derestricted|unrestricted|without\\s+(?:a\\s+)?(?:speed\\s+)?limit',
  'kein(?:e)?\\s+(?:tempolimit|geschwindigkeitsbegrenzung|limit|begrenzung)|unbegrenzt|freie\\s+fahrt',
  'pas\\s+de\\s+limit(?:e|ation)|sans\\s+limitation|nessun\\s+limite|sin\\s+límite|geen\\s+limiet',
);
export const otherSign = word(
  'stop(?:\\s*sign)?|yield|give\\s+way|no\\s+(?:entry|parking|stopping|overtaking|passing|u-turn|left|right)|overtaking|priority|roundabout|pedestrian|crossing|parking|one[-\\s]way|roadworks|warning|direction(?:al)?\\s+sign|height|width|weight|bend|curve|slippery|deer|cattle|hospital|bus\\s+stop|danger',
  'stoppschild|vorfahrt|überholverbot|halteverbot|parkverbot|parkplatz|einbahnstraße|durchfahrt\\s+verboten|einfahrt\\s+verboten|baustelle|achtung|zebrastreifen|fußgänger|kreisverkehr|gewicht|höhe|breite',
  'cédez|sens\\s+(?:interdit|unique)|stationnement|priorité|interdiction|travaux|danger|virage|hauteur|largeur|poids|divieto|precedenza|ceda|prohibido|voorrang|zakaz|zákaz',
);
export const townSign = word(
  'town(?:\\s+\\w+)?\\s+sign|(?:place|city|village|town)[-\\s]+(?:name|limits?|entry|entrance|sign)(?:\\s+sign)?|(?:entering|entrance\\s+to|entry\\s+to)\\s+(?:the\\s+)?(?:town|village|city)|welcome\\s+to',
  "ort(?:s(?:tafel|schild|eingang(?:s?schild|stafel)?|beginn))|stadtschild|panneau\\s+d'(?:entrée\\s+(?:de\\s+)?(?:ville|village|agglomération)|agglomération)|entrée\\s+d'agglomération|agglomération|cartello\\s+(?:di\\s+)?(?:località|inizio\\s+centro)|centro\\s+abitato|komborden?|plaatsnaambord",
);

export const ownSpeed = word(
  "(?:your|my|our|own|ego|current|present|measured|vehicle|actual)\\s+speed|you(?:'re|\\s+are)\\s+(?:driving|going|doing|travel+ing)|you\\s+drive|speedo(?:meter)?|instrument\\s+cluster|dashboard|cruise\\s+control|radar\\s+(?:display|board)|speed\\s+(?:display|indicator\\s+device|feedback)|gps\\s+speed",
  'sie\\s+fahren|du\\s+fährst|ihre\\s+geschwindigkeit|ihr\\s+tempo|eigene\\s+geschwindigkeit|eigengeschwindigkeit|tacho(?:meter)?|geschwindigkeitsanzeige|dialogdisplay|gemessen(?:e)?',
  'vous\\s+roulez|votre\\s+vitesse|tu\\s+roules|compteur|radar\\s+pédagogique|la\\s+sua\\s+velocità|velocità\\s+attuale|su\\s+velocidad|uw\\s+snelheid|u\\s+rijdt|twoja\\s+prędkość|vaše\\s+rychlost',
);
export const otherDirection = word(
  'opposite\\s+(?:direction|carriageway|side|lane|traffic)|oncoming|other\\s+(?:direction|carriageway|side\\s+of\\s+the\\s+road)|facing\\s+(?:away|the\\s+other)|for\\s+(?:the\\s+)?(?:opposing|oncoming)\\s+traffic|opposing',
  'gegen(?:richtung|fahrbahn|verkehr|spur)|andere(?:r|n)?\\s+(?:richtung|fahrtrichtung)|rückseite',
  'sens\\s+(?:inverse|opposé|contraire)|autre\\s+sens|en\\s+face|senso\\s+opposto|direzione\\s+opposta|sentido\\s+contrario|tegenovergestelde|przeciwn\\p{L}*',
);
export const otherBranch = word(
  '(?:exit|off)[-\\s]?ramp|exit\\s+(?:lane|road|sign|only)|(?:on|at|for|in)\\s+the\\s+(?:exit|ramp|slip\\s+road)|slip\\s+road|(?:side|parallel|service|frontage|adjacent|neighbouring|other)\\s+(?:road|street)|ramp|car\\s+park|turn[-\\s]?off|on\\s+the\\s+bridge\\s+above|branch',
  'ausfahrt(?:srampe|sspur|en)?|abfahrt|rampe|ausfädel\\p{L}*|neben(?:straße|strecke|fahrbahn)|seitenstraße|parallel(?:straße|fahrbahn)|verteilerfahrbahn|abzweig(?:ung)?',
  'bretelle(?:\\s+de\\s+sortie)?|voie\\s+de\\s+sortie|sortie|route\\s+(?:parallèle|voisine|latérale)|contre-allée|uscita|rampa|svincolo|salida|afrit|zjazd|sjezd',
);
export const vehicleMarking = word(
  '(?:on\\s+)?(?:the\\s+)?(?:back|rear|tail|side)\\s+(?:side\\s+)?of\\s+(?:the|a|an|that)\\s+(?:\\w+\\s+)?(?:truck|lorry|bus|coach|van|trailer|car|vehicle|tanker|caravan|hgv)',
  "(?:truck|lorry|bus|coach|van|trailer|vehicle|caravan|car)(?:'s)?\\s+(?:rear|back|tail(?:gate)?|sticker|disc|decal|marking|plate)|(?:sticker|decal|disc|marking|label|plate)\\s+on\\s+(?:the|a|an|its)\\s+(?:\\w+\\s+)?(?:truck|lorry|bus|coach|van|trailer|car|vehicle|rear|back|caravan|tailgate)|rear\\s+(?:disc|door|sticker|marking)|tailgate|licen[cs]e\\s+plate|number\\s+plate",
  '(?:am|auf\\s+dem)\\s+(?:lkw|bus|anhänger|lastwagen|wohnwagen)?-?\\s*heck|(?:lkw|bus|anhänger|lastwagen|fahrzeug)-?heck|aufkleber|heckscheibe|kennzeichen|hinten\\s+(?:am|auf\\s+dem)\\s+\\p{L}+',
  "(?:à|sur)\\s+l'arrière\\s+d[ue]|autocollant|disque\\s+(?:du|sur\\s+le)\\s+(?:camion|poids\\s+lourd)|plaque\\s+d'immatriculation|adesivo|retro\\s+del\\s+camion|pegatina",
);
export const advert = word(
  'advert(?:isement|ising)?|billboard|poster|banner|shop|store|sale|discount|offer|price[sd]?|fuel|petrol|gas\\s+station|diesel|restaurant|menu|hotel|phone\\s+number|website|election',
  'werbung|werbeplakat|plakat|rabatt|angebot|preis|tankstelle|benzin|super|schlussverkauf',
  'publicit(?:é|aire)|affiche|promo(?:tion)?|soldes|prix|essence|station-service|gazole|pubblicità|prezzo|cartellone|publicidad|precio|reclame',
);
export const routeWord =
  '(?:route|highway|interstate|motorway|autobahn|autoroute|bundesstraße|bundesstrasse|landstraße\\s+nr\\.?|nationale|départementale|autostrada|carretera|exit|junction|jct|ausfahrt|abfahrt|sortie|uscita|kilomet(?:er|re)(?:stein)?|bus(?:\\s+line|linie)?|line|linie|tram|house\\s+(?:number|no\\.?)|hausnummer|platform|gate|us|i|sr|hwy)';
/** A map is no sign: what it says is weighed elsewhere. */
export const mapSource = word(
  'maps?|navigation(?:\\s+system)?|sat-?nav|navi|karte|carte|mappa|mapa|database|osm|previous(?:ly)?|last\\s+sign|earlier\\s+sign',
);
/** "not 90", "nicht 90" */
export const denied =
  /(?<![\p{L}])(?:not|nicht|kein(?:e)?|pas|non|no|niet|nie|ne)\s+(?:a\s+|the\s+)?[\u0001\u0002]?$/iu;
export const otherWeight = word('weight|mass|axle|gewicht|achslast|poids|masse|essieu|peso|massa');
export const otherClearance = word(
  'height|clearance|width|length|headroom|höhe|breite|länge|durchfahrtshöhe|hauteur|largeur|longueur|altezza|larghezza|altura|anchura',
);

/** Knowledge about limits in general is not a reading of a sign. */
export const priorKnowledge = word(
  'usually|typically|normally|generally|commonly|often|by\\s+default|default\\s+(?:speed\\s+)?limit|standard\\s+(?:speed\\s+)?limit|general\\s+(?:speed\\s+)?limit|statutory|in\\s+most\\s+(?:cities|towns|countries|places|cases)|as\\s+a\\s+rule|would\\s+(?:normally|usually|typically)?\\s*be|should\\s+be|is\\s+customary|tend(?:s)?\\s+to\\s+be|according\\s+to\\s+(?:the\\s+)?(?:law|map|navigation|my\\s+knowledge)|i\\s+know|from\\s+experience|(?:in|within|inside)\\s+(?:\\w+\\s+)?(?:cities|towns|villages|built-up\\s+areas)\\s+(?:the\\s+)?(?:limit\\s+|speed\\s+limit\\s+)?(?:is|are)',
  'üblicherweise|normalerweise|gewöhnlich|meist(?:ens)?|in\\s+der\\s+regel|grundsätzlich|im\\s+allgemeinen|standardmäßig|innerorts\\s+(?:gilt|gelten|sind|ist)|außerorts\\s+(?:gilt|gelten|sind|ist)|gesetzlich|laut\\s+(?:gesetz|karte|navi)|erfahrungsgemäß|in\\s+(?:der\\s+)?(?:städten|stadt|ortschaften)\\s+(?:gilt|gelten|sind|ist)',
  "généralement|habituellement|normalement|d'habitude|en\\s+général|par\\s+défaut|en\\s+ville\\s+(?:la\\s+limite\\s+|c')?est|de\\s+solito|normalmente|generalmente|por\\s+lo\\s+general|meestal|zwykle|obvykle",
);

export const hedge = any(
  '\\b(?:i\\s+(?:guess|think|believe|suppose|assume)|maybe|perhaps|possibly|probably|presumably|might|may\\s+be|could\\s+be|likely|apparently|approximately|approx|about|around|roughly|not\\s+(?:entirely\\s+|quite\\s+|completely\\s+)?(?:sure|certain)|unsure|seems|appears|looks\\s+like|hard\\s+to\\s+(?:read|tell|see)|barely|partly|partially)\\b',
  '(?<![\\p{L}])(?:vielleicht|vermutlich|wahrscheinlich|womöglich|eventuell|ich\\s+(?:glaube|denke|vermute|schätze)|scheint|könnte|ungefähr|etwa|circa|schwer\\s+zu)(?![\\p{L}])',
  '(?<![\\p{L}])(?:peut-être|sans\\s+doute|probablement|je\\s+(?:crois|pense|suppose)|semble|environ|il\\s+me\\s+semble|forse|probabilmente|credo|sembra|quizás|tal\\s+vez|misschien|waarschijnlijk|może|asi|možná)(?![\\p{L}])',
  '\\?',
);
export const correction = any(
  '\\b(?:actually|no,?\\s+wait|wait,?|correction|sorry|i\\s+mean|rather|on\\s+(?:closer|second)\\s+(?:look|inspection|thought|reading)|looking\\s+(?:closer|again)|scratch\\s+that|my\\s+mistake|make\\s+that|or\\s+rather|oops|hmm|no[,:;-]+\\s*(?:it|that|the|actually|\\d))',
  '(?<![\\p{L}])(?:eigentlich|nein,|moment|korrektur|korrigiere|entschuldigung|vielmehr|bei\\s+genauerem|genauer\\s+gesagt|ich\\s+meine|doch\\s+(?:eher|nur)|besser\\s+gesagt|sondern)',
  '(?<![\\p{L}])(?:en\\s+fait|pardon|plutôt|non,|je\\s+corrige|erratum|à\\s+y\\s+regarder|correzione|anzi|scusi|en\\s+realidad|perdón|mejor\\s+dicho|eigenlijk|właściwie|vlastně)',
);
