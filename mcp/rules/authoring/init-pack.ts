/** The beginning of a pack for one's own town: it lints, tests and installs as it is, and every number waits to be changed. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { Rulepack } from '../format/rulepack.js';

export interface NewPack {
  /** of the new pack, begins with that of the base: FRA-75056 */
  readonly id: string;
  /** that it extends */
  readonly base: Rulepack;
  readonly title: string;
  readonly limit: number;
  /** today as YYYY-MM-DD */
  readonly today: string;
}

/** @throws DriveMcpError FILE_UNWRITABLE where the folder holds something already */
export function initPack(folder: string, pack: NewPack): readonly string[] {
  const files = skeleton(pack);
  try {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length > 0) throw new Error('it is not empty');
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: 'wx' });
    }
  } catch (cause) {
    throw new DriveMcpError('FILE_UNWRITABLE', `cannot begin a pack here: ${(cause as Error).message}`, {
      location: { file: folder },
      cause,
    });
  }
  return [...files.keys()];
}

function skeleton({ id, base, title, limit, today }: NewPack): ReadonlyMap<string, string> {
  const { manifest } = base;
  const part = id.slice(manifest.id.length + 1);
  const { country, path } = manifest.jurisdiction;
  const act = `${country.toLowerCase()}-${part.toLowerCase()}`;
  const unit = manifest.units.speed;
  const language = manifest.language[0] ?? 'en';
  const ruleId = `${act}.speed.urban`;
  const major = Number(manifest.version.split('.')[0]);
  const yearLater = `${Number(today.slice(0, 4)) + 1}${today.slice(4, 8)}01`;
  const words = `In this town the limit on urban roads is ${limit} ${unit} unless a sign says otherwise.`;
  return new Map([
    [
      'pack.yaml',
      `id: ${id}
version: 0.1.0
schema: rulepack/1
jurisdiction: { country: ${country}, path: [${[...path, `${country}-${part}`].join(', ')}], local: true }
kind: overlay
extends: { id: ${manifest.id}, range: ">=${manifest.version} <${major + 1}.0.0" }
language: [${language}]
units: { speed: ${unit}, distance: ${manifest.units.distance} }
driving_side: ${manifest.driving_side}
valid: { from: ${today}, until: ${yearLater} } # until = when somebody must look at it again
law_as_of: ${today}
legal_speeds: [${[...new Set([...manifest.legal_speeds, limit])].sort((a, b) => a - b).join(', ')}]
sources:
  - id: order
    title: ${JSON.stringify(title)}
    tier: statute
    licence: { id: name-the-licence, attribution: null }
maintainers: [you]
review: { by: you, date: ${today}, checklist: v1 }
`,
    ],
    [
      'docs/order.md',
      `---
doc_id: ${act}:order
source: order
title: ${JSON.stringify(title)}
cite: ${JSON.stringify(`${title}, art. 1`)}
lang: ${language}
valid_from: ${today}
text: paraphrase # official: the words of the text itself
spans:
  "1": [0, ${words.length}] # one a line of the text below; rulepack build --fix-spans counts for you
---
${words}
`,
    ],
    [
      'rules/speed.yaml',
      `- id: ${ruleId}
  kind: default_limit
  when: { road_class: urban }
  then: { limit: { value: ${limit}, unit: ${unit}, nature: absolute } }
  unknown_condition: assume_false
  cite: [{ doc: "${act}:order", span: "1", must_contain: ["${limit} ${unit}"] }]
  status: commenced
  valid: { from: ${today} }
  certainty: C # A: read in the official text; B: in a secondary source; C: not read
`,
    ],
    [
      'tests/limits.yaml',
      `# Situations and what the pack must answer: where the rule holds, where it does not, and the day before it began.
- { rule: ${ruleId}, holds: true, context: { road: urban, vehicle: car }, limit: ${limit}, legal_action: obey_limit }
- { rule: ${ruleId}, holds: false, context: { road: urban, vehicle: car, sign: "${limit - 10}" }, limit: ${limit - 10} }
`,
    ],
    [
      'tests/cites.yaml',
      `- { rule: ${ruleId}, doc: "${act}:order", span: "1", must_contain: ["${limit} ${unit}"] }
`,
    ],
  ]);
}
