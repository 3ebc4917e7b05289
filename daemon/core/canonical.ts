/**
 * Canonical JSON by RFC 8785 (JCS): the bytes that are hashed.
 *
 * Object keys sorted by UTF-16 code units, no white space, numbers as ECMAScript prints them, strings with
 * the shortest escapes. `undefined` members are left out as `JSON.stringify` does. A non-finite number has no
 * JSON form and throws: records hold null and a flag instead.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError('canonical JSON cannot hold a non-finite number');
    return Object.is(value, -0) ? '0' : String(value);
  }
  if (typeof value === 'string') return canonicalString(value);
  if (Array.isArray(value)) {
    let text = '[';
    for (let i = 0; i < value.length; i++) text += (i === 0 ? '' : ',') + canonicalJson(value[i]);
    return `${text}]`;
  }
  if (typeof value === 'object') {
    const record = value as Record<string, unknown>;
    // Default sort order is by UTF-16 code units, which is what RFC 8785 §3.2.3 asks for.
    const keys = Object.keys(record).sort();
    let text = '{';
    for (const key of keys) {
      const member = record[key];
      if (member === undefined) continue;
      text += `${text.length === 1 ? '' : ','}${canonicalString(key)}:${canonicalJson(member)}`;
    }
    return `${text}}`;
  }
  throw new TypeError(`canonical JSON cannot hold a ${typeof value}`);
}

/** RFC 8785 §3.2.2.2: lone surrogates have no UTF-8 form. JSON.stringify makes the shortest escapes otherwise. */
function canonicalString(text: string): string {
  if (!isWellFormed(text)) throw new RangeError('canonical JSON cannot hold a lone surrogate');
  return JSON.stringify(text);
}

/** True where the string has a UTF-8 form: no lone surrogate. */
export function isWellFormed(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(i + 1);
    if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return false;
    i++;
  }
  return true;
}
