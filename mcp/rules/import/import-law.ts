/** From official files and a pack to what an import does: read, check, plan. Nothing is written here. */
import { createHash } from 'node:crypto';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { Rulepack } from '../format/rulepack.js';
import { type ImportPlan, isSelected, planImport } from './import-plan.js';
import { lawError } from './law-error.js';
import { type LawFormat, type LawFormatName, lawFormatOf, structureRoots } from './law-formats.js';
import type { LawFile, RawLawFile } from './law-text.js';
import type { ImportedSource } from './manifest-source.js';
import { decodeXml } from './xml-encoding.js';
import { parseXml } from './xml-tree.js';

export interface ReadLaw {
  readonly format: LawFormat;
  readonly files: readonly { readonly file: string; readonly law: LawFile }[];
  /** files of the same archive that hold no provision */
  readonly structureFiles: number;
  /** of the one file; of several: of their lines `sha256  number`, in the order of their names */
  readonly sha256: string;
}

/**
 * All files of one act, in one format.
 * @throws DriveMcpError LAW_*, with file, line and column
 */
export function readLaw(raw: Iterable<RawLawFile>, wanted: LawFormatName | 'auto'): ReadLaw {
  const files: { file: string; law: LawFile }[] = [];
  const hashes: string[] = [];
  let format: LawFormat | null = null;
  let structureFiles = 0;
  for (const { file, bytes } of raw) {
    const root = parseXml(decodeXml(bytes, file), file);
    if (structureRoots.has(root.name)) {
      structureFiles++;
      continue;
    }
    const own = lawFormatOf(root, wanted, file);
    if (format !== null && own !== format)
      throw lawError(
        'LAW_FORMAT_UNKNOWN',
        `is ${own.name}, the files before it are ${format.name}`,
        file,
        root,
      );
    format = own;
    const law = own.import(root, file);
    const first = files[0]?.law.act.locator ?? law.act.locator;
    if (law.act.locator !== first)
      throw lawError(
        'LAW_FORMAT_UNKNOWN',
        `is of the act ${law.act.locator}, the files before it are of ${first}`,
        file,
        root,
        'give one act at a time',
      );
    hashes.push(createHash('sha256').update(bytes).digest('hex'));
    files.push({ file, law });
  }
  if (format === null) throw lawError('LAW_EMPTY', 'no file holds a provision', '');
  const [only = ''] = hashes;
  const sha256 =
    hashes.length === 1
      ? only
      : createHash('sha256')
          .update(hashes.map((hash, i) => `${hash}  ${i + 1}\n`).join(''))
          .digest('hex');
  return { format, files, structureFiles, sha256 };
}

export interface ImportOptions {
  /** id of the source in the manifest; default: the one with this locator */
  readonly source?: string | undefined;
  /** middle part of provision ids; default: the id of the source */
  readonly act?: string | undefined;
  readonly select: readonly string[];
  readonly validFrom?: string | undefined;
  readonly retrieved: string;
  readonly replacesParaphrase: boolean;
}

/** @throws DriveMcpError USAGE where the source or a unit is not known, RULEPACK_INVALID, LAW_XML_INVALID */
export function importLaw(
  law: ReadLaw,
  pack: Rulepack,
  options: ImportOptions,
): { readonly plan: ImportPlan; readonly source: ImportedSource } {
  const [first] = law.files;
  const { manifest } = pack;
  if (!first) throw lawError('LAW_EMPTY', 'no file holds a provision', '');
  const { locator, title } = first.law.act;
  const [country] = law.format.country;
  if (manifest.jurisdiction.country !== country)
    throw new DriveMcpError(
      'USAGE',
      `${manifest.id} is a pack of ${manifest.jurisdiction.country}, the text is of ${country}`,
    );
  const id = options.source ?? manifest.sources.find((one) => one.locator === locator)?.id ?? options.act;
  if (id === undefined)
    throw new DriveMcpError('USAGE', `no source of ${manifest.id} has the locator ${locator}`, {
      hint: `--source ID adds one; it has ${manifest.sources.map((one) => `${one.id} (${one.locator ?? 'no locator'})`).join(', ') || 'none'}`,
    });
  const known = manifest.sources.find((one) => one.id === id);
  if (known && known.origin !== 'none' && known.locator !== undefined && known.locator !== locator)
    throw new DriveMcpError('USAGE', `the source ${id} is ${known.locator}, the file is ${locator}`, {
      hint: 'name another source with --source',
    });
  const act = options.act ?? id;
  for (const [name, word] of [
    ['--source', id],
    ['--act', act],
  ] as const)
    if (!/^[a-z0-9][a-z0-9-]*$/.test(word))
      throw new DriveMcpError('USAGE', `${name} '${word}': lower-case letters, digits and hyphens`);
  const units = law.files.flatMap((file) => file.law.versions.map(({ unit }) => unit));
  const unknown = options.select.find((wanted) => !units.some((unit) => isSelected(unit, [wanted])));
  if (unknown !== undefined)
    throw new DriveMcpError('USAGE', `the text holds no unit ${unknown}`, {
      hint: `it holds ${[...new Set(units)].slice(0, 30).join(', ')}${units.length > 30 ? ' …' : ''}`,
    });
  const plan = planImport(pack, law.files, {
    sourceId: id,
    act,
    select: options.select,
    validFrom: options.validFrom ?? null,
    retrieved: options.retrieved,
    replacesParaphrase: options.replacesParaphrase,
  });
  const source: ImportedSource = {
    id,
    title,
    origin: law.format.name,
    locator,
    retrieved: options.retrieved,
    sha256: law.sha256,
    licence: law.format.licence,
  };
  return { plan, source };
}
