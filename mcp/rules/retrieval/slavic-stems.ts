/**
 * Light stemmers for Polish and Czech, for which no library is at hand: case and number endings of nouns and adjectives
 * and the commonest verb endings go, longest first, and at least three letters stay. Both work on lower-case words with
 * their diacritics; consonants that alternate before an ending (droga, drodze) are brought to one form.
 */

const polishEndings = byLength(
  'owaniami owaniach owaniem owania owaniu owanie owego owemu owych owymi iego iemu iejszy iejsza iejsze ' +
    'ościach ościami ością ości ość ego emu ymi imi ych ich owi owie ami ach iom om ów iem em ią ię ie ia iu ii ' +
    'ej ym im iej ować uje ują uję ujesz ował owała owano owane owany owana ane any ana anych anym ' +
    'eć ić yć ać ąc ąca ące ący iał iała ały ała ało ał eli ali esz isz ysz asz ecie icie acie ą ę y i a u e o',
);
const czechEndings = byLength(
  'ováními ováních ování ového ovému ových ovými ejšího ejšímu ejší ostech ostmi ostem ostí osti ost ého ému ými ých ích ími ' +
    'ího ímu ovi ové ová ový ami emi ách ech ích ům ům em ím ou mi ata aty at atech ovat uje ují uji uješ oval ovala ovalo ' +
    'ané aný aná aných ený ená ené enou eni ět it at ějí ají áme íme ete áte íte eš íš áš al ala alo ali il ila ilo ili ' +
    'ů ý á é í ě y i a u e o',
);

const polishRoots: readonly (readonly [string, string])[] = [
  ['dz', 'g'],
  ['rz', 'r'],
  ['sz', 'ch'],
  ['cz', 'k'],
  ['ż', 'g'],
  ['c', 'k'],
  ['ś', 's'],
  ['ć', 't'],
  ['ń', 'n'],
  ['ź', 'z'],
];
const czechRoots: readonly (readonly [string, string])[] = [
  ['št', 'sk'],
  ['čt', 'ck'],
  ['ž', 'h'],
  ['z', 'h'],
  ['č', 'k'],
  ['c', 'k'],
  ['š', 'ch'],
  ['ř', 'r'],
  ['ň', 'n'],
  ['ť', 't'],
  ['ď', 'd'],
];

export const stemPolish = (word: string): string => stem(word, polishEndings, polishRoots);
export const stemCzech = (word: string): string => stem(word, czechEndings, czechRoots);

function stem(
  word: string,
  endings: readonly string[],
  roots: readonly (readonly [from: string, to: string])[],
): string {
  const ending = endings.find((one) => word.length - one.length >= 3 && word.endsWith(one));
  const root = ending === undefined ? word : word.slice(0, word.length - ending.length);
  for (const [from, to] of roots)
    if (root.length > from.length + 1 && root.endsWith(from))
      return `${root.slice(0, root.length - from.length)}${to}`;
  return root;
}

function byLength(endings: string): readonly string[] {
  return [...new Set(endings.split(' '))].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}
