/**
 * JSON that keeps every number: NaN, the infinities and −0, which plain JSON loses, travel as
 * `{"$f64":"NaN"}`. A replay must see exactly what the run saw, bad input included. A member of the data
 * that is itself named `$f64` gets one more `$`, so nothing that arrives from outside can pose as a number.
 */
type Json = unknown;

const marker = /^\$+f64$/;

export function exactStringify(value: Json): string {
  return JSON.stringify(needsMarking(value) ? mark(value) : value);
}

/** Throws SyntaxError where `text` is not JSON. */
export function exactParse(text: string): Json {
  const value: Json = JSON.parse(text);
  return text.includes('$f64"') ? unmark(value) : value;
}

function needsMarking(value: Json): boolean {
  if (typeof value === 'number') return !Number.isFinite(value) || Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (needsMarking(item)) return true;
    return false;
  }
  const record = value as Record<string, Json>;
  for (const key in record) {
    if (key.charCodeAt(0) === 0x24 && marker.test(key)) return true;
    if (needsMarking(record[key])) return true;
  }
  return false;
}

function mark(value: Json): Json {
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return { $f64: '-0' };
    return Number.isFinite(value) ? value : { $f64: String(value) };
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(mark);
  return mapMembers(value, (key) => (marker.test(key) ? `$${key}` : key), mark);
}

function unmark(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unmark);
  const number = (value as Record<string, Json>)['$f64'];
  if (typeof number === 'string') return Number(number);
  return mapMembers(value, (key) => (marker.test(key) ? key.slice(1) : key), unmark);
}

/** Object.fromEntries defines members, it does not assign: a member named `__proto__` stays data. */
function mapMembers(value: object, name: (key: string) => string, map: (value: Json) => Json): Json {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [name(key), map(member)]));
}
