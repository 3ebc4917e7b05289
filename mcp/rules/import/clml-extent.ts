/** Where British law holds: nations as ISO 3166-2 names them, the last parts of a pack's path. */

const nations: Readonly<Record<string, string>> = { E: 'GB-ENG', W: 'GB-WLS', S: 'GB-SCT', 'N.I.': 'GB-NIR' };

/** `E+W` → [GB-ENG, GB-WLS]; all of Great Britain or more → []; not said → null. */
export function extentOf(restrict: string | undefined): readonly string[] | null {
  if (restrict === undefined) return null;
  const named = restrict
    .split('+')
    .map((part) => nations[part.trim()])
    .filter((nation) => nation !== undefined);
  const isWhole = ['GB-ENG', 'GB-WLS', 'GB-SCT'].every((nation) => named.includes(nation));
  return isWhole ? [] : named;
}

/** Acts of one nation's parliament, assembly or ministers hold in that nation. */
export function nationOfAct(type: string): readonly string[] {
  if (['asp', 'ssi', 'aosp', 'sdsi'].includes(type)) return ['GB-SCT'];
  if (['asc', 'anaw', 'mwa', 'wsi', 'wdsi'].includes(type)) return ['GB-WLS'];
  if (['nia', 'nisr', 'nisi', 'apni', 'mnia', 'nisro', 'nidsr'].includes(type)) return ['GB-NIR'];
  return [];
}
