/** Answers in the form of JSON, plain or fenced: known keys only, turned into the words that the text reader knows. */

const fence = /^\s*```[a-z]*\s*\n?([\s\S]*?)\n?\s*```\s*$/i;
const numberKey =
  /^(?:speed_?limit|limit|max(?:imum)?(?:_?speed)?|value|speed|advisory|min(?:imum)?(?:_?speed)?)(?:_?(kmh|kph|km_h|mph))?$/i;

/** The answer without a fence; JSON as a sentence; null where the JSON says nothing we know. */
export function textOfAnswer(raw: string): string | null {
  const inner = fence.exec(raw)?.[1] ?? raw;
  const trimmed = inner.trim();
  if (!/^[[{"]/.test(trimmed)) return inner;
  let parsed: unknown;
  try {
    parsed = JSON.parse(trimmed);
  } catch {
    return inner;
  }
  return sentence(parsed, 0);
}

function sentence(value: unknown, depth: number): string | null {
  if (depth > 3) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (value === null || value === false) return 'none';
  if (Array.isArray(value)) {
    const parts = value.slice(0, 8).map((part) => sentence(part, depth + 1));
    return parts.filter((part) => part !== null).join('; ') || 'none';
  }
  if (typeof value !== 'object') return null;
  return sentenceOfObject(new Map(Object.entries(value)), depth);
}

function sentenceOfObject(fields: ReadonlyMap<string, unknown>, depth: number): string | null {
  const parts: string[] = [];
  let isNumberless = false;
  for (const [key, value] of fields) {
    const known = numberKey.exec(key);
    if (known) {
      if (value === null || value === '' || value === false) isNumberless = true;
      else if (typeof value === 'number' || typeof value === 'string') {
        const kind = /^min/i.test(key) ? 'minimum ' : /^advisory/i.test(key) ? 'advisory ' : '';
        parts.push(`${kind}${value}${unitWord(known[1], fields)}`);
      } else parts.push(sentence(value, depth + 1) ?? '');
    } else if (
      /^(?:kind|type|condition|conditions|plate|text|note|sign|description|lanes?|answer|status)$/i.test(key)
    ) {
      const said = typeof value === 'string' || Array.isArray(value) ? sentence(value, depth + 1) : null;
      if (said && /^(?:none|null)$/i.test(said)) isNumberless = true;
      else if (said && !/^(?:max|maximum|speed_?limit|ok)$/i.test(said)) parts.push(said);
    }
  }
  if (parts.length > 0) return parts.join(', ');
  return isNumberless ? 'none' : null;
}

function unitWord(suffix: string | undefined, fields: ReadonlyMap<string, unknown>): string {
  if (suffix) return /^m/i.test(suffix) ? ' mph' : ' km/h';
  const unit = fields.get('unit') ?? fields.get('units') ?? fields.get('speed_unit');
  return typeof unit === 'string' && unit.length < 12 ? ` ${unit}` : '';
}
