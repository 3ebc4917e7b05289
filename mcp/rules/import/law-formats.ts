/** The formats that are read, told apart by their root element, and what the publisher's licence asks. */
import { importClml } from './clml.js';
import { importGiiNorm } from './gii-norm.js';
import { lawError } from './law-error.js';
import type { LawImporter } from './law-text.js';
import { importLegi } from './legi.js';
import { importRis } from './ris.js';
import type { XmlElement } from './xml-tree.js';

export const lawFormatNames = ['gii-norm', 'clml', 'legi', 'ris'] as const;
export type LawFormatName = (typeof lawFormatNames)[number];

export interface LawFormat {
  readonly name: LawFormatName;
  readonly root: string;
  readonly import: LawImporter;
  /** ISO 3166-1, two and three letters */
  readonly country: readonly [string, string];
  readonly licence: { readonly id: string; readonly attribution: string | null };
}

const formats: Readonly<Record<LawFormatName, LawFormat>> = {
  'gii-norm': {
    name: 'gii-norm',
    root: 'dokumente',
    import: importGiiNorm,
    country: ['DE', 'DEU'],
    licence: { id: 'DE-UrhG-5', attribution: null },
  },
  clml: {
    name: 'clml',
    root: 'Legislation',
    import: importClml,
    country: ['GB', 'GBR'],
    licence: {
      id: 'OGL-UK-3.0',
      attribution: 'Contains public sector information licensed under the Open Government Licence v3.0.',
    },
  },
  legi: {
    name: 'legi',
    root: 'ARTICLE',
    import: importLegi,
    country: ['FR', 'FRA'],
    licence: { id: 'LO-2.0', attribution: 'Légifrance (DILA), Licence Ouverte 2.0.' },
  },
  ris: {
    name: 'ris',
    root: 'risdok',
    import: importRis,
    country: ['AT', 'AUT'],
    licence: {
      id: 'CC-BY-4.0',
      attribution: 'Source: Rechtsinformationssystem des Bundes (RIS), Austria, CC BY 4.0; no endorsement.',
    },
  },
};

/** Files of the same archives that hold no provision. */
export const structureRoots: ReadonlySet<string> = new Set(['TEXTE_VERSION', 'TEXTELR', 'SECTION_TA']);

/** @throws DriveMcpError LAW_FORMAT_UNKNOWN */
export function lawFormatOf(root: XmlElement, wanted: LawFormatName | 'auto', file: string): LawFormat {
  const found = Object.values(formats).find((format) => format.root === root.name);
  if (found && (wanted === 'auto' || wanted === found.name)) return found;
  const name = root.name.slice(0, 40);
  throw lawError(
    'LAW_FORMAT_UNKNOWN',
    found
      ? `the file is ${found.name}, not ${wanted}`
      : `the root element ${name} belongs to no format that is read${hintFor(name)}`,
    file,
    root,
  );
}

function hintFor(root: string): string {
  if (root === 'toestand' || root === 'wetgeving') return ' (Dutch BWB)';
  if (root === 'akomaNtoso') return ' (Akoma Ntoso)';
  if (root === 'documento' || root === 'response') return ' (Spanish BOE)';
  return root.toLowerCase() === 'html' ? ' (a web page: fetch the XML of the act)' : '';
}
