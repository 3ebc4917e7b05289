/**
 * What an import would do to a pack, before anything is written: texts that are new, that follow on others, that end, and
 * those that stay out, each with its reason. Own words are never overwritten unasked, and what is not law yet on the day
 * of retrieval does not become today's.
 */
import type { DocumentHead } from '../format/document-schema.js';
import { parseDocumentFile } from '../format/load-pack.js';
import type { PackDocument, Rulepack } from '../format/rulepack.js';
import { documentFileText, documentPath } from './document-file.js';
import { lawError } from './law-error.js';
import type { LawFile, LawVersion } from './law-text.js';
import { numberTokens } from './number-tokens.js';

export type RowState = 'imported' | 'changed' | 'closed' | 'unchanged' | 'kept' | 'skipped';

export interface ImportRow {
  /** provision id; null where the file has no provision there */
  readonly document: string | null;
  /** as the law calls it */
  readonly label: string;
  readonly state: RowState;
  readonly reason: string;
  /** inside the pack; null = nothing is written for it */
  readonly path: string | null;
  readonly validFrom: string | null;
  readonly validUntil: string | null;
  readonly spans: number;
  readonly numbers: number;
}

export interface ImportPlan {
  readonly rows: readonly ImportRow[];
  /** path inside the pack → text; null = the file goes */
  readonly writes: ReadonlyMap<string, string | null>;
  /** the documents of the pack afterwards */
  readonly documents: Rulepack['documents'];
}

export interface ImportChoices {
  readonly sourceId: string;
  readonly act: string;
  /** units (`p3`, `anl2`), each with all that is finer; empty = all */
  readonly select: readonly string[];
  /** for texts that the file does not date */
  readonly validFrom: string | null;
  /** day on which the files were fetched: what begins later is not law yet */
  readonly retrieved: string;
  readonly replacesParaphrase: boolean;
}

interface Held {
  head: DocumentHead;
  body: string;
  /** inside the pack; null = not written yet */
  path: string | null;
  isChanged: boolean;
  isGone: boolean;
}

/** @throws DriveMcpError LAW_XML_INVALID where a text has no date at all, RULEPACK_INVALID */
export function planImport(
  pack: Rulepack,
  files: readonly { readonly file: string; readonly law: LawFile }[],
  choices: ImportChoices,
): ImportPlan {
  const held = new Map<string, Held[]>();
  for (const [id, versions] of pack.documents)
    held.set(
      id,
      versions.map(({ head, body, file }) => ({
        head,
        body,
        path: file.slice(pack.folder.length + 1),
        isChanged: false,
        isGone: false,
      })),
    );
  const rows: ImportRow[] = [];
  const versions = files
    .flatMap(({ file, law }) => {
      if (choices.select.length === 0)
        for (const { label, reason } of law.skipped) rows.push(emptyRow(null, label, 'skipped', reason));
      return law.versions.map((version) => ({ file, law, version }));
    })
    .filter(({ version }) => isSelected(version.unit, choices.select))
    .sort((a, b) => ((a.version.validFrom ?? '') < (b.version.validFrom ?? '') ? -1 : 1));
  for (const { file, law, version } of versions) {
    const docId = `${countryOf(pack, version)}:${choices.act}:${version.unit}`;
    const elsewhere = placeElsewhere(pack, version);
    if (elsewhere !== null) {
      rows.push(emptyRow(docId, version.label, 'skipped', elsewhere));
      continue;
    }
    const of = held.get(docId) ?? [];
    held.set(docId, of);
    rows.push(...placeVersion(docId, version, law, file, of, choices));
  }
  return finishPlan(pack, held, rows, choices.retrieved);
}

function placeVersion(
  docId: string,
  version: LawVersion,
  law: LawFile,
  file: string,
  held: Held[],
  choices: ImportChoices,
): ImportRow[] {
  const standing = held.filter(({ isGone }) => !isGone);
  const written = standing.find(({ head }) => head.text === 'paraphrase' && head.valid_until === undefined);
  const guessed =
    choices.validFrom ?? (version.text === null ? null : written?.head.valid_from) ?? law.builtOn;
  const from = version.validFrom ?? guessed;
  if (from === null || from === undefined)
    throw lawError(
      'LAW_XML_INVALID',
      `${version.label} has no date`,
      file,
      version,
      'give one: --valid-from DATE',
    );
  const undated =
    choices.validFrom === null ? ' (the file dates no provision; --valid-from does)' : ' (as given)';
  const dated = version.validFrom === null ? undated : '';
  if (from > choices.retrieved)
    return [
      emptyRow(docId, version.label, 'skipped', `holds from ${from}: not law on ${choices.retrieved}`, from),
    ];
  if (version.text === null) return [closeStanding(docId, version, from, standing)];
  let until = version.validUntil;
  if (until !== null && until <= from)
    return [emptyRow(docId, version.label, 'skipped', `ended on ${until}, before it began`, from)];
  const same = standing.find(
    ({ head, body }) =>
      head.text === 'official' &&
      body === version.text?.body &&
      head.valid_from <= from &&
      from < endOf(head),
  );
  if (same) {
    const isClosed = until !== null && until < endOf(same.head);
    if (isClosed && until !== null) close(same, until);
    return [
      rowOf(
        docId,
        version,
        isClosed ? 'closed' : 'unchanged',
        isClosed ? `ends on ${until}` : 'the same text',
        same,
      ),
    ];
  }
  const rows: ImportRow[] = [];
  let state: RowState = 'imported';
  let reason = `holds from ${from}${dated}`;
  for (const other of standing.filter(
    ({ head }) => from < endOf(head) && head.valid_from < (until ?? '9999'),
  )) {
    const isParaphrase = other.head.text === 'paraphrase';
    if (isParaphrase && !choices.replacesParaphrase)
      return [
        emptyRow(
          docId,
          version.label,
          'kept',
          'own words stand there; --replace-paraphrase puts the official text in their place',
          from,
        ),
      ];
    if (other.path === null && other.head.valid_from === from)
      return [
        emptyRow(
          docId,
          version.label,
          'skipped',
          `a second text of ${from} in the same files: choose one`,
          from,
        ),
      ];
    if (other.head.valid_from < from) {
      close(other, from);
      rows.push(rowOf(docId, version, 'closed', `followed by a text of ${from}`, other));
      state = 'changed';
    } else if (isParaphrase || other.head.valid_from === from) {
      other.isGone = true;
      state = 'changed';
      reason = `in place of ${isParaphrase ? 'own words' : 'another text'} of ${other.head.valid_from}${dated}`;
    } else {
      until = other.head.valid_from;
      reason = `an older text, until ${until}${dated}`;
    }
  }
  const added: Held = {
    head: {
      doc_id: docId,
      source: choices.sourceId,
      title: [law.act.shortTitle, version.label, version.heading].filter((part) => part !== '').join(' '),
      cite: version.cite,
      lang: law.act.lang,
      valid_from: from,
      ...(until === null ? {} : { valid_until: until }),
      ...(version.extent.length > 1 ? { extent: [...version.extent] } : {}),
      text: 'official',
      spans: Object.fromEntries([...version.text.spans].map(([name, [start, end]]) => [name, [start, end]])),
    },
    body: version.text.body,
    path: null,
    isChanged: true,
    isGone: false,
  };
  held.push(added);
  return [
    ...rows,
    rowOf(docId, version, state, until === null ? reason : `${reason}, until ${until}`, added),
  ];
}

function closeStanding(docId: string, version: LawVersion, on: string, standing: readonly Held[]): ImportRow {
  const open = standing.find(({ head }) => head.valid_from < on && on < endOf(head));
  if (!open) return emptyRow(docId, version.label, 'skipped', `repealed (${on}): no text is left`, on);
  close(open, on);
  return rowOf(docId, version, 'closed', `repealed: ends on ${on}`, open);
}

function close(held: Held, on: string): void {
  held.head = { ...held.head, valid_until: on };
  held.isChanged = true;
}

/** Files as they must be afterwards; each is read back, so that nothing is written that a pack would not load. */
function finishPlan(
  pack: Rulepack,
  held: ReadonlyMap<string, Held[]>,
  rows: readonly ImportRow[],
  today: string,
): ImportPlan {
  const writes = new Map<string, string | null>();
  const documents = new Map<string, PackDocument[]>();
  const paths = new Map<string, string>();
  for (const [id, versions] of held) {
    for (const { path, isGone, isChanged } of versions)
      if (path !== null && (isGone || isChanged)) writes.set(path, null);
    const left: PackDocument[] = [];
    for (const one of versions.filter(({ isGone }) => !isGone)) {
      const path = one.isChanged ? documentPath(id, one.head, endOf(one.head) <= today) : (one.path ?? '');
      const file = `${pack.folder}/${path}`;
      if (one.isChanged) {
        const text = documentFileText(one.head, one.body);
        left.push(parseDocumentFile(file, text));
        writes.set(path, text);
        paths.set(`${id} ${one.head.valid_from}`, path);
      } else left.push({ head: one.head, body: one.body, file });
    }
    if (left.length > 0)
      documents.set(
        id,
        left.sort((a, b) => (a.head.valid_from > b.head.valid_from ? -1 : 1)),
      );
  }
  return {
    rows: rows.map((row) => ({ ...row, path: paths.get(`${row.document} ${row.validFrom}`) ?? null })),
    writes,
    documents,
  };
}

/** A unit and everything finer. */
export function isSelected(unit: string, select: readonly string[]): boolean {
  return select.length === 0 || select.some((wanted) => unit === wanted || unit.startsWith(`${wanted}.`));
}

/** Law of one nation has ids of its own. */
function countryOf({ manifest }: Rulepack, { extent }: LawVersion): string {
  return (extent.length === 1 ? (extent[0] ?? '') : manifest.jurisdiction.country).toLowerCase();
}

/** Why a provision does not belong into this pack by where it holds, or null. */
function placeElsewhere({ manifest }: Rulepack, { extent }: LawVersion): string | null {
  if (extent.length === 0) return null;
  const { path } = manifest.jurisdiction;
  const own = path[1];
  if (extent.length === 1 ? own === extent[0] : own === undefined || extent.includes(own)) return null;
  return `holds in ${extent.join(', ')} only: a pack of that place takes it`;
}

function endOf(head: DocumentHead): string {
  return head.valid_until ?? '9999-12-31';
}

function emptyRow(
  document: string | null,
  label: string,
  state: RowState,
  reason: string,
  validFrom: string | null = null,
): ImportRow {
  return { document, label, state, reason, path: null, validFrom, validUntil: null, spans: 0, numbers: 0 };
}

function rowOf(
  document: string,
  { label }: LawVersion,
  state: RowState,
  reason: string,
  { head, body }: Held,
): ImportRow {
  return {
    document,
    label,
    state,
    reason,
    path: null,
    validFrom: head.valid_from,
    validUntil: head.valid_until ?? null,
    spans: Object.keys(head.spans).length,
    numbers: numberTokens(body).length,
  };
}
