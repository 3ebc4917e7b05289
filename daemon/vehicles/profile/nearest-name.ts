/** `; did you mean X?` for the name with the smallest edit distance, or '' where none is near. */
export function nearestName(wanted: string, known: Iterable<string>): string {
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const name of known) {
    if (Math.abs(name.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted.toLowerCase(), name.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best === null ? '' : `; did you mean ${best}?`;
}

/** Levenshtein distance, cut off at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let smallest = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const value = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + cost);
      next.push(value);
      smallest = Math.min(smallest, value);
    }
    if (smallest >= limit) return limit;
    row = next;
  }
  return row[b.length]!;
}
