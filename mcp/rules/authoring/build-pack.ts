/** Writes what a pack is shipped with: spans where asked for, ATTRIBUTION.md, pack.lock. Same files in, same bytes out. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, parseDocument } from 'yaml';
import { packFiles, readPackFile } from '../format/pack-files.js';
import type { Rulepack } from '../format/rulepack.js';
import { readPackFolder } from '../integrity/pack-files.js';
import { lockFile, lockText, treeHash } from '../integrity/pack-lock.js';

/** Names of the spans of each file that now lie elsewhere. */
export type MovedSpans = ReadonlyMap<string, readonly string[]>;

/**
 * One span a line of the text, in the order in which the front matter names them: so nobody counts characters. A file
 * whose lines and spans differ in number is left alone; lint and load say what does not fit.
 */
export function fixSpans(folder: string): MovedSpans {
  const moved = new Map<string, readonly string[]>();
  if (!existsSync(join(folder, 'docs'))) return moved;
  for (const path of packFiles(folder).filter((one) => /^docs\/.*\.md$/.test(one))) {
    const text = readPackFile(folder, path);
    const parts = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text);
    if (!parts) continue;
    const [, head = '', body = ''] = parts;
    const document = parseDocument(head);
    const spans = document.get('spans');
    if (!isMap(spans)) continue;
    const lines = lineRanges(body);
    if (lines.length !== spans.items.length) continue;
    const changed: string[] = [];
    for (const [i, pair] of spans.items.entries()) {
      const [start, end] = lines[i] ?? [0, 0];
      const name = isScalar(pair.key) ? String(pair.key.value) : '';
      const before = JSON.stringify((document.toJS() as { spans: Record<string, unknown> }).spans[name]);
      if (before === JSON.stringify([start, end])) continue;
      changed.push(name);
      const range = document.createNode([start, end]);
      range.flow = true;
      pair.value = range;
    }
    if (changed.length === 0) continue;
    writeFileSync(
      join(folder, path),
      `---\n${document.toString({ lineWidth: 0, flowCollectionPadding: false })}---\n${body}`,
    );
    moved.set(path, changed);
  }
  return moved;
}

/** [start, end) of every line that holds text. */
function lineRanges(body: string): [number, number][] {
  const ranges: [number, number][] = [];
  let start = 0;
  for (const line of body.split('\n')) {
    if (line.trim() !== '') ranges.push([start, start + line.length]);
    start += line.length + 1;
  }
  return ranges;
}

/** ATTRIBUTION.md and pack.lock of a pack that has been checked. Returns the hash of the pack. */
export function writeBuilt({ manifest, folder, documents }: Rulepack): string {
  writeFileSync(
    join(folder, 'ATTRIBUTION.md'),
    attribution(manifest.id, manifest.sources, isAllParaphrase(documents)),
  );
  const files = readPackFolder(folder);
  writeFileSync(join(folder, lockFile), lockText(files));
  return treeHash(files);
}

function attribution(id: string, sources: Rulepack['manifest']['sources'], isParaphrase: boolean): string {
  const lines = sources.map(({ title, locator, licence }) => {
    const says = licence?.attribution ?? wordsOf(licence?.id ?? '');
    return `- ${title}${locator ? ` (${locator})` : ''}, licence ${licence?.id ?? 'none'}${says ? `: ${says}` : ''}${says?.endsWith('.') ? '' : '.'}`;
  });
  const words = isParaphrase
    ? 'The documents of this pack are our own words (`text: paraphrase`); numbers and provision names are facts of the law.\n'
    : '';
  return `# Attribution: ${id}\n\n${words}This is not legal advice.\n\n${lines.join('\n')}\n`;
}

function wordsOf(licence: string): string {
  return licence === 'DE-UrhG-5' ? 'official work, not protected by copyright (§ 5 UrhG)' : '';
}

function isAllParaphrase(documents: Rulepack['documents']): boolean {
  return [...documents.values()].every((versions) =>
    versions.every(({ head }) => head.text === 'paraphrase'),
  );
}
