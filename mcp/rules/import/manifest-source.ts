/**
 * Writes into `pack.yaml` where an imported text comes from. Only the lines of that source change: a manifest is read by
 * people, and a diff should show what was imported and nothing else.
 */
import { isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { refuse } from '../format/located-yaml.js';

export interface ImportedSource {
  readonly id: string;
  readonly title: string;
  readonly origin: string;
  readonly locator: string;
  readonly retrieved: string;
  /** of the raw official bytes */
  readonly sha256: string;
  /** for a source that is new to the pack */
  readonly licence: { readonly id: string; readonly attribution: string | null };
}

/** The manifest's text with this source in it. @throws DriveMcpError RULEPACK_INVALID */
export function withSource(file: string, text: string, source: ImportedSource): string {
  const sources = parseDocument(text).get('sources');
  if (!isSeq(sources)) throw refuse(file, 'has no list of sources', undefined, 'sources');
  const known = sources.items.find((item): item is YAMLMap => isMap(item) && item.get('id') === source.id);
  if (known) return withFields(file, text, known, source);
  const entry = sourceLines(source);
  const last = sources.items.at(-1);
  if (isMap(last) && !last.flow) {
    const at = lineEnd(text, contentEnd(last));
    const indent = ' '.repeat(Math.max(0, columnOf(text, last.range?.[0] ?? 0) - 2));
    return `${text.slice(0, at)}\n${indent}- ${entry.join(`\n${indent}  `)}${text.slice(at)}`;
  }
  if (last !== undefined || !sources.range)
    throw refuse(file, 'write the sources as a list of lines, one key a line', undefined, 'sources');
  // An empty list: `sources: []`.
  const [start, end] = sources.range;
  return `${text.slice(0, start).trimEnd()}\n  - ${entry.join('\n    ')}${text.slice(end)}`;
}

function sourceLines({ id, title, origin, locator, retrieved, sha256, licence }: ImportedSource): string[] {
  return [
    `id: ${id}`,
    `title: ${JSON.stringify(title)}`,
    'tier: statute',
    `origin: ${origin}`,
    `locator: ${JSON.stringify(locator)}`,
    `retrieved: ${retrieved}`,
    `sha256: ${sha256}`,
    `licence: { id: ${licence.id}, attribution: ${JSON.stringify(licence.attribution)} }`,
  ];
}

function withFields(file: string, text: string, known: YAMLMap, source: ImportedSource): string {
  if (known.flow) throw refuse(file, 'write the source one key a line', undefined, `sources.${source.id}`);
  const fields = {
    origin: source.origin,
    locator: JSON.stringify(source.locator),
    retrieved: source.retrieved,
    sha256: source.sha256,
  };
  const indent = ' '.repeat(columnOf(text, known.range?.[0] ?? 0));
  const edits: { start: number; end: number; text: string }[] = [];
  const added: string[] = [];
  for (const [key, value] of Object.entries(fields)) {
    const pair = known.items.find((one) => isScalar(one.key) && one.key.value === key);
    if (pair && isScalar(pair.value) && pair.value.range) {
      const [start, end] = pair.value.range;
      if (String(pair.value.value) !== JSON.parse(value.startsWith('"') ? value : JSON.stringify(value)))
        edits.push({ start, end, text: value });
    } else if (!pair) added.push(`${indent}${key}: ${value}`);
  }
  const at = lineEnd(text, contentEnd(known));
  if (added.length > 0) edits.push({ start: at, end: at, text: `\n${added.join('\n')}` });
  let edited = text;
  for (const { start, end, text: piece } of edits.sort((a, b) => b.start - a.start))
    edited = edited.slice(0, start) + piece + edited.slice(end);
  return edited;
}

/** Where the last value of a map ends, without the comments and lines that follow. */
function contentEnd(map: YAMLMap): number {
  const last: Pair | undefined = map.items.at(-1);
  const value = last?.value as { range?: [number, number, number] } | null | undefined;
  return value?.range?.[1] ?? map.range?.[1] ?? 0;
}

function lineEnd(text: string, offset: number): number {
  // A flow map's own end may be followed by a comment on its line.
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
