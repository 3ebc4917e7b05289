/** Codes about rulepacks and texts of law; a part of the table in errors.ts, which checks its shape. */
export const lawErrorCodes = {
  RULEPACK_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the message names the file and the key; other packs go on working',
  },
  SPEED_TABLE_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the table is legal_default_speeds.json of the OSM default speed limits: speedLimitsByCountryCode, name, tags',
  },
  RULEPACK_UNTRUSTED: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'add the key of its author to trusted-keys; --allow-unsigned takes an unsigned pack, never a changed one',
  },
  RULEPACK_DOWNGRADE: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: '--allow-downgrade takes the older version',
  },
  KEY_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'drivemcp rulepack keygen FILE makes a key and the line that others trust',
  },
  LAW_FORMAT_UNKNOWN: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'read are gii-norm (DE), CLML (GB), LEGI (FR) and RIS (AT) XML, and a zip with one of them',
  },
  LAW_XML_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'fetch the file anew from its official publisher; nothing was written',
  },
  LAW_XML_TOO_LARGE: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'give one act, or a part of it; official acts stay far below these bounds',
  },
  LAW_ENCODING_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'read are UTF-8, UTF-16 with its mark, and ISO-8859-1 where declared',
  },
  LAW_TEXT_LOST: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the importer does not know this piece of XML; please report it with the file. Nothing was written',
  },
  LAW_EMPTY: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'check that this is the text of an act and not its table of contents',
  },
  RULES_BAD_CONTEXT: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the message names the key and what it takes',
  },
} as const;
