import { z } from 'zod';
import type { DbcMessage, DbcSignal } from '../../../daemon/vehicles/dbc/database.js';
import { nearestName } from '../../../daemon/vehicles/profile/nearest-name.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { shownText } from '../../shared/shown-text.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import { nextCursor, Page, pageArgs, pageSubject } from '../files/page.js';
import { fileArg, headOf, messageHead, namesLookedAt, signalForm, signalOf } from './message-words.js';

const found = z.strictObject({ ...messageHead, signal: signalForm });

const input = z.strictObject({
  file: fileArg,
  query: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe('words that all occur in names, comments, units or value texts'),
  ...pageArgs,
});

const answer = z.strictObject({
  file: z.string(),
  matches_count: z.number().int(),
  matches: z.array(found).describe('best first'),
  hint: z.string().nullable().describe('where nothing was found'),
  next_cursor: nextCursor,
});

/** `can_find_signals`: signals of a DBC file by words. */
export function findSignalsTool(shelf: DbcShelf): ExpertTool {
  return expertTool({
    name: 'can_find_signals',
    title: 'Find signals in a DBC file',
    description:
      'Searches the signals of a DBC file by words in the names of signals and messages, in comments, units and value texts; all words must occur, names count more than comments. Long answers come in pages. Research software beside certified functions, never in their place.',
    input,
    output: answer,
    async run(args, { signal }) {
      const file = await shelf.read(args.file);
      signal.throwIfAborted();
      const words = args.query.toLowerCase().split(/\s+/);
      const matches: { rank: number; message: DbcMessage; signal: DbcSignal }[] = [];
      for (const message of file.database.messages) {
        for (const each of message.signals) {
          const rank = rankOf(words, message, each);
          if (rank > 0) matches.push({ rank, message, signal: each });
        }
      }
      // Stable: equal ranks keep the order of the file.
      matches.sort((a, b) => b.rank - a.rank);
      const page = new Page<z.output<typeof found>>(
        pageSubject('can_find_signals', args, [file.identity]),
        args,
      );
      for (const match of matches) {
        page.offer(() => ({ ...headOf(match.message), signal: signalOf(match.signal) }));
      }
      const names = file.database.messages
        .flatMap(({ signals }) => signals.map(({ name }) => name))
        .slice(0, namesLookedAt);
      return {
        file: args.file,
        matches_count: matches.length,
        matches: page.items,
        hint:
          matches.length > 0
            ? null
            : shownText(`nothing has all of these words${nearestName(args.query, names)}`, 200),
        next_cursor: page.nextCursor,
      };
    },
  });
}

/** Each word by the best place it occurs in; 0 where one occurs nowhere. */
function rankOf(words: readonly string[], message: DbcMessage, signal: DbcSignal): number {
  const name = signal.name.toLowerCase();
  const places: readonly [text: string, worth: number][] = [
    [name, 8],
    [message.name.toLowerCase(), 4],
    [`${signal.comment ?? ''} ${signal.unit}`.toLowerCase(), 2],
  ];
  let rank = 0;
  for (const word of words) {
    if (name === word) {
      rank += 16;
      continue;
    }
    const place = places.find(([text]) => text.includes(word));
    if (place !== undefined) rank += place[1];
    else if (hasLabel(signal, word)) rank += 1;
    else return 0;
  }
  return rank;
}

function hasLabel({ labels }: DbcSignal, word: string): boolean {
  for (const text of labels?.values() ?? []) if (text.toLowerCase().includes(word)) return true;
  return false;
}
