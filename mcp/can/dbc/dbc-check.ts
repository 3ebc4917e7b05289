import { z } from 'zod';
import { hasErrors } from '../../../daemon/vehicles/dbc/diagnostics.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { shownText } from '../../shared/shown-text.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import { nextCursor, Page, pageArgs, pageSubject } from '../files/page.js';
import { fileArg } from './message-words.js';

const severities = ['error', 'warning', 'info'] as const;

const finding = z.strictObject({
  line: z.number().int(),
  column: z.number().int(),
  severity: z.enum(severities),
  code: z.string(),
  message: z.string(),
});

const answer = z.strictObject({
  file: z.string(),
  sha256: z.string(),
  is_ok: z.boolean().describe('nothing that decoding needs was lost'),
  messages_count: z.number().int(),
  findings_count: z.number().int(),
  findings: z.array(finding).describe('in the order of the file'),
  next_cursor: nextCursor,
});

/** `can_dbc_check`: findings about a DBC file, with line and column. */
export function dbcCheckTool(shelf: DbcShelf): ExpertTool {
  return expertTool({
    name: 'can_dbc_check',
    title: 'Check a DBC file',
    description:
      'Lists what is wrong with a DBC file, with line, column, severity and a stable code: statements that cannot be read, signals that overlap or lie outside their message, faults of multiplexing. Research software beside certified functions, never in their place.',
    input: z.strictObject({
      file: fileArg,
      severity: z.enum(severities).optional().describe('only findings of this severity'),
      ...pageArgs,
    }),
    output: answer,
    async run(args) {
      const { identity, sha256, database, diagnostics } = await shelf.read(args.file);
      const page = new Page<z.output<typeof finding>>(pageSubject('can_dbc_check', args, [identity]), args);
      for (const { line, column, severity, code, message } of diagnostics) {
        if (args.severity !== undefined && severity !== args.severity) continue;
        page.offer(() => ({ line, column, severity, code, message: shownText(message, 300) }));
      }
      return {
        file: args.file,
        sha256,
        is_ok: !hasErrors(diagnostics),
        messages_count: database.messages.length,
        findings_count: page.offered,
        findings: page.items,
        next_cursor: page.nextCursor,
      };
    },
  });
}
