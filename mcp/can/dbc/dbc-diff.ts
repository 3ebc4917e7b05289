import { z } from 'zod';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { shownText } from '../../shared/shown-text.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import { nextCursor, Page, pageArgs, pageSubject } from '../files/page.js';
import { changeKinds, compareDatabases } from './compare-databases.js';
import { fileArg, headOf, messageHead } from './message-words.js';

const change = z.strictObject({
  kind: z.enum(changeKinds),
  ...messageHead,
  signal: z.string().nullable(),
  field: z.string().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

const answer = z.strictObject({
  is_same: z.boolean().describe('nothing differs that decoding or reading depends on'),
  changes_count: z.number().int(),
  changes: z.array(change).describe('by identifier, then in the order of the files'),
  next_cursor: nextCursor,
});

/** `can_dbc_diff`: what changed from one DBC file to another. */
export function dbcDiffTool(shelf: DbcShelf): ExpertTool {
  return expertTool({
    name: 'can_dbc_diff',
    title: 'Differences of two DBC files',
    description:
      'Lists what differs between two DBC files: messages and signals added, removed or changed, field by field (position, scaling, unit, multiplexing, cycle time, value texts, comments). Messages are matched by identifier, signals by name. Research software beside certified functions, never in their place.',
    input: z.strictObject({
      before: fileArg,
      after: fileArg,
      ...pageArgs,
    }),
    output: answer,
    async run(args) {
      const [before, after] = [await shelf.read(args.before), await shelf.read(args.after)];
      const page = new Page<z.output<typeof change>>(
        pageSubject('can_dbc_diff', args, [before.identity, after.identity]),
        args,
      );
      for (const each of compareDatabases(before.database, after.database)) {
        page.offer(() => ({
          kind: each.kind,
          ...headOf(each.message),
          signal: each.signal === null ? null : shownText(each.signal),
          field: each.field,
          before: each.before === null ? null : shownText(each.before),
          after: each.after === null ? null : shownText(each.after),
        }));
      }
      return {
        is_same: page.offered === 0,
        changes_count: page.offered,
        changes: page.items,
        next_cursor: page.nextCursor,
      };
    },
  });
}
