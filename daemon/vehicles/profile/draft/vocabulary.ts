/**
 * What makers call things: concepts and the words for them in English, German, French and the abbreviations of
 * public DBC files. Data, so that a new maker's habit is a new entry and nothing else.
 */

/** Concept → patterns, each tried on one word of a name (lower case). */
const patterns = {
  vehicle: /^(vehicle|veh|car|fzg|fahrzeug\w*|vehicule|vehspd|vspd|vss|fahrgeschw\w*|ground|ovrgnd|gnd)$/,
  speed:
    /^(speed\w*|spd\w*|velo\w*|vel|v|vs|vss|vspd|vehspd|whlspd|vm|vanz|\w*geschw\w*|geschwindigkeit|vitesse\w*)$/,
  wheel: /^(wheel|wheels|whl|whls|whlspd|rad|radgeschw\w*|raddreh\w*|roue|roues|ww)$/,
  rotation: /^(rpm|n|nmot|ne|drehzahl|\w*drehz\w*|regime|rev|revs|revolution\w*)$/,
  engine: /^(engine|eng|motor|mot|mo|moteur|ecm|ems|powertrain|combustion|ice)$/,
  throttle: /^(throttle|thr|tps|drosselklappe\w*|papillon|dk)$/,
  accelerator:
    /^(accelerator|accel|aped\w*|acc_ped|gas|pedalacc|fahrpedal\w*|fahrped\w*|accelerateur|gaspedal|app)$/,
  pedal: /^(pedal|ped|pdl|\w*pedal\w*|bped|aped|pedale)$/,
  position: /^(pos|position|pc|percent|pct|stellung|wert|rohwert|level)$/,
  brake: /^(brake|brakes|brk|brks|brem\w*|frein\w*|bped|stop|stoplamp|braking|bls)$/,
  pressed:
    /^(pressed|press|applied|appl|active|actv|act|braking|switch|sw|betaetigt|getreten|bls|on|depressed)$/,
  pressure: /^(pressure|press|druck\w*|pression|prs|pres)$/,
  tyre: /^(tire|tyre|tires|tpms|reifen\w*|rdk|pneu\w*)$/,
  low: /^(low|lo|lvllow|niedrig|bas|warn|warning|w)$/,
  level: /^(level|lvl|fuellstand|niveau|fill)$/,
  fluid: /^(fluid|fluidlvl|fluessigkeit|liquide|brakefluid|fluidsw)$/,
  fuel: /^(fuel|tank\w*|kraftstoff\w*|carburant)$/,
  temperature: /^(temp\w*|temperature|te|tmp|\w*temp|tco|toil)$/,
  coolant: /^(coolant|clnt|cool|ect|clt|kuehl\w*|kuhl\w*|water|wasser|tco|refroid\w*|engt)$/,
  oil: /^(oil|oel\w*|huile|engoil|gboxoil|toil)$/,
  ambient: /^(ambient|amb|outside|outdoor|out|exterior|aussen\w*|airamb|external|ext|outtemp|oat)$/,
  air: /^(air|airamb|luft)$/,
  gearbox: /^(gearbox|gbox|trans|transmission|trn|trm|getriebe\w*|tcu|atf|xmission|boite|gboxoil)$/,
  gear: /^(gear|gears|gang\w*|gearpos|rapport|grad|shifter|prndl|prnd|range)$/,
  current: /^(cur|current|curr|actual|actl|ist|act|engaged)$/,
  reverse: /^(reverse|rvrse|rev|rueckw\w*|rear)$/,
  steering: /^(steer\w*|ste|str|strg|sas|lenk\w*|lws|lwi|eps|epas|volant|lw)$/,
  angle: /^(angle|ang|an|angl|winkel|angle\w*|\w*winkel|lenkradw|lenkradwinkel|steerangle)$/,
  yaw: /^(yaw|yawrate|gier\w*|lacet|yawcomp|yr)$/,
  rate: /^(rate|rat|w|velocity|speed|geschw\w*|gierrate)$/,
  longitudinal: /^(long\w*|lng|laengs\w*|lon|ax|longcomp)$/,
  lateral: /^(lat\w*|quer\w*|ay|latcomp)$/,
  acceleration: /^(accel\w*|acc|a|ax|ay|beschl\w*|\w*beschl\w*|acceleration)$/,
  abs: /^(abs|antilock|antilck|antiblockier\w*)$/,
  esc: /^(esc|esp|vsc|dsc|stab\w*|stability|vdc|vsa|stabctl\w*)$/,
  tcs: /^(tcs|trac|traction|asr|tracctl\w*|trc)$/,
  ebd: /^(ebd|ebv)$/,
  fault: /^(fault|flt|falt|error|err|def|defect|fail|failure|malfunction|fehler|defekt|diag|faulty)$/,
  engaged: /^(active|actv|act|ctl|ctrl|engaged|activ|aktiv|regelung|eingriff|intervention|tcs_act)$/,
  parking: /^(park|parking|prk|hand|feststell\w*|parkbrake|handbrake|epb|pbrake)$/,
  wiper: /^(wiper\w*|wipr|wip|wischer\w*|scheibenwischer|frontwischer|essuie\w*)$/,
  front: /^(front|frt|fr|frnt|vorn\w*)$/,
  rain: /^(rain|rainsns|regen\w*|pluie)$/,
  battery: /^(batt?|battery|batterie|ulo|lowvoltage|kl30|bordnetz|battulo|bsbatt|ubat|vbat)$/,
  voltage: /^(volt\w*|u|spannung|tension|ubat|vbat)$/,
  odometer: /^(odo\w*|odometer|kilomet\w*|mileage|km|totaldistance|wegstrecke)$/,
  headlight: /^(head|headlamp|headlight\w*|lowbeam|abblend\w*|headlght\w*)$/,
  beam: /^(beam|lamplow|lamp|light|licht|lght\w*)$/,
  high: /^(high|hi|fern\w*|highbeam|lamphigh)$/,
  turn: /^(turn|turnsig\w*|tsig\w*|blink\w*|indicator|clignotant)$/,
  left: /^(left|lh|l|links|li|lft|gauche|drv)$/,
  right: /^(right|rh|r|rechts|re|rght|droite)$/,
  door: /^(door|dr|drstat|doors|tuer\w*|porte|ajar|drvdr|astdr)$/,
  driver: /^(driver|drv|drvr|fahrer\w*|fl|drvdr|drvsw)$/,
  mil: /^(mil|checkengine|cel)$/,
} as const;

export type Concept = keyof typeof patterns;

/** Words that say "about the quantity, not the quantity": set points, limits, quality marks, counters … */
const qualifiers = {
  wish: /^(set\w*|target|trg|trgt|tgt|req|rq|rqst|request\w*|cmd|command|wunsch\w*|soll\w*|desired|des|demand|setpoint|regelgeschw|vset\w*|consigne)$/,
  bound:
    /^(limit\w*|lim|lmt|lmtr|speedlimit\w*|max\w*|min\w*|mx|mn|mnallw|begrenz\w*|\w*begrenz\w*|lockout|threshold|thresh|complim\w*|minspeed|isa|tsr|sld|rsa)$/,
  quality:
    /^(qf|qlty|quality|valid\w*|status|stat|state|qbit|konsistenz|invalid|avail\w*|supported|enbl|enable\w*|sens|flag|inhib\w*|deny|open\w*|sts|opn|disable\w*|dis|config\w*|cfg|coded|equip)$/,
  protection: /^(cnt|counter|count|cs|crc|checksum|chksum|alive\w*|bz|msgcount|chk|chksm)$/,
  presentation:
    /^(display\w*|disp|angez\w*|anzeig\w*|dsply|unit\w*|einheit|lamp|chime|msg|msgtxt|icon|hud|ui|color|farbe|scaling|text|txt|digital|popup|ind|lmp)$/,
  average: /^(avg\w*|average|mean|mittel\w*|filt\w*|flt)$/,
  foreign:
    /^(lead|radar|track\w*|object\w*|obj|target\w*|rel|relativ\w*|doppler|lane|opponent|zielfahrzeug)$/,
  other:
    /^(cruise|acc|adas|ipma|accdata|gra|lrr|gps|gnss|nav\w*|map|psd|camera|lane|trailer|trlr\w*|tow|fan|blower|turbine|pump|compressor|evap\w*|cabin|cabn|hvac|seat\w*|belt\w*|mirror|sunroof|window|wdw|freeze|frz\w*|frf|diag|obd\w*|saved|crs|crz|ovr|imprecise|lowres|lres|tot|offset|offst|ofs|raw|ratio|err|error|fault|fail\w*|falt|trip|range|rnge|urea|charger|regen|rgen|climt\w*|climate|ped|crash|side|predict\w*|model\w*|est|mod|motors|knee|diff|torque|tq|sport|eco)$/,
} as const;

export type Qualifier = keyof typeof qualifiers;

/** Position of a wheel in a name. */
export type WheelPosition = 'Row1.Wheel.Left' | 'Row1.Wheel.Right' | 'Row2.Wheel.Left' | 'Row2.Wheel.Right';

const wheelWords: readonly (readonly [RegExp, WheelPosition])[] = [
  [/(^| )(fl|lf|vl|front left|left front|fr l|frt l|vorn\w* links)( |$)/, 'Row1.Wheel.Left'],
  [/(^| )(front right|right front|rf|vr|fr r|frt r|vorn\w* rechts)( |$)/, 'Row1.Wheel.Right'],
  [/(^| )(rl|lr|hl|rear left|left rear|re l|bck l|back l|hint\w* links)( |$)/, 'Row2.Wheel.Left'],
  [/(^| )(rr|hr|rear right|right rear|re r|bck r|back r|hint\w* rechts)( |$)/, 'Row2.Wheel.Right'],
  // "FR" alone is front right; tried last, because "FrL" begins with it.
  [/(^| )fr( |$)/, 'Row1.Wheel.Right'],
];

/** `VehVActlBrk_No_Cs` → veh, v, actl, brk, no, cs. Digits only separate. Linear in the length of the name. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1 ')
    .replaceAll(/[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '');
}

export function conceptsIn(words: readonly string[]): Set<Concept> {
  return matching(conceptTable, words);
}

export function qualifiersIn(words: readonly string[]): Set<Qualifier> {
  return matching(qualifierTable, words);
}

export function wheelIn(words: readonly string[]): WheelPosition | null {
  const text = words.join(' ');
  return wheelWords.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** Patterns with what is known of words already: names are made of few words, used again and again. */
interface WordTable<K extends string> {
  readonly patterns: readonly (readonly [K, RegExp])[];
  readonly known: Map<string, readonly K[]>;
}

/** The distinct words of the largest public DBC files are some thousands. */
const maxKnownWords = 20_000;

function wordTable<K extends string>(table: Readonly<Record<K, RegExp>>): WordTable<K> {
  return { patterns: Object.entries(table) as [K, RegExp][], known: new Map() };
}

const conceptTable = wordTable<Concept>(patterns);
const qualifierTable = wordTable<Qualifier>(qualifiers);

function matching<K extends string>(table: WordTable<K>, words: readonly string[]): Set<K> {
  const found = new Set<K>();
  for (const word of words) {
    let keys = table.known.get(word);
    if (keys === undefined) {
      keys = table.patterns.filter(([, pattern]) => pattern.test(word)).map(([key]) => key);
      if (table.known.size >= maxKnownWords) table.known.clear();
      table.known.set(word, keys);
    }
    for (const key of keys) found.add(key);
  }
  return found;
}

const offLabel =
  /^(off|no|none|false|inactive|closed|close|ok|normal|released|idle|not\b.*|.*\bnot\b.*|un(pressed|applied)|disengaged|deactiv\w*|in(active|aktiv)\b.*|normal\b.*|aus|nicht\b.*|keine?\b.*|kein\b.*)$/;
const onLabel =
  /^(on|yes|true|active|activ\w*|open|ajar|low|pressed|applied|engaged|fault\w*|error|warning|braking|driver braking|ein|aktiv\w*|getreten|betaetigt|locked|low\b.*|left|right|defective|failure)$/;

/**
 * Which raw values of a flag mean "no" and "yes", by its value table; null where the labels do not say so
 * without doubt.
 */
export function flagCodes(labels: ReadonlyMap<number, string>): { off: number; on: number } | null {
  let off: number | null = null;
  let on: number | null = null;
  for (const [raw, label] of labels) {
    const text = wordsOf(label).join(' ');
    if (/not allowed|not used|unused|reserved|invalid|unknown|no data|init|undefined|sna/.test(text))
      continue;
    if (offLabel.test(text)) {
      if (off !== null) return null;
      off = raw;
    } else if (onLabel.test(text)) {
      if (on !== null) return null;
      on = raw;
    }
  }
  return off === null || on === null ? null : { off, on };
}
