/** The text behind a citation, recomputed from the packs, so that anybody can check an answer. */
import { createHash } from 'node:crypto';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { documentOn } from './format/citations.js';
import type { PackDocument, Rulepack } from './format/rulepack.js';

export interface CitedSpan {
  readonly name: string;
  /** [start, end) in the body, in UTF-16 units, which in packs are code points as well */
  readonly range: readonly [number, number];
  readonly quote: string;
}

export interface CitedProvision {
  readonly document: PackDocument;
  /** of the body */
  readonly sha256: string;
  readonly spans: readonly CitedSpan[];
}

/**
 * @param provision a document (`de:stvo:p3`) or finer, as answers name it (`de:stvo:p3.3.2.c`)
 * @param wanted name of a span or `START-END`; without it the span that the provision names, or every span
 * @throws DriveMcpError PROVISION_UNKNOWN, for a span with those that there are
 */
export function citeProvision(
  packs: readonly Rulepack[],
  provision: string,
  wanted: string | undefined,
  asOf: string,
): CitedProvision {
  const found = resolve(provision, (id) => documentOn(packs, id, asOf));
  if (!found) {
    throw new DriveMcpError('PROVISION_UNKNOWN', `no installed rulepack holds ${provision}`, {
      context: { provision },
    });
  }
  const { document } = found;
  const name = wanted ?? found.span;
  const ranges =
    name === null ? Object.entries(document.head.spans) : [[name, spanOf(name, document)] as const];
  return {
    document,
    sha256: createHash('sha256').update(document.body).digest('hex'),
    spans: ranges.map(([span, range]) => ({
      name: span,
      range,
      quote: document.body.slice(range[0], range[1]),
    })),
  };
}

/** A coarser document answers for a finer provision; the rest of the id is the span. */
function resolve(
  provision: string,
  find: (id: string) => PackDocument | null,
): { document: PackDocument; span: string | null } | null {
  for (let id = provision; ; ) {
    const document = find(id);
    const rest = provision.slice(id.length + 1);
    if (document) {
      return { document, span: rest === '' || !Object.hasOwn(document.head.spans, rest) ? null : rest };
    }
    const cut = Math.max(id.lastIndexOf('.'), id.lastIndexOf(':'));
    if (cut <= 0) return null;
    id = id.slice(0, cut);
  }
}

function spanOf(name: string, { head, body }: PackDocument): readonly [number, number] {
  if (Object.hasOwn(head.spans, name)) {
    const named = head.spans[name];
    if (named) return named;
  }
  const range = /^(\d+)-(\d+)$/.exec(name);
  const [start, end] = [Number(range?.[1]), Number(range?.[2])];
  if (range && start < end && end <= body.length) return [start, end];
  throw new DriveMcpError('PROVISION_UNKNOWN', `${head.doc_id} has no span ${name}`, {
    hint: `it has ${Object.keys(head.spans).join(', ')}, or START-END up to ${body.length}`,
  });
}
