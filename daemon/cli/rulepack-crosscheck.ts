/** `rulepack crosscheck`: where packs and the user's copy of OSM's default speed limits do not agree. */
import { DriveMcpError } from '../core/errors.js';
import { readBounded } from '../runtime/read-bounded.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { rulepackOptions, rulepacksOf } from './rulepack-options.js';
import { dateOption } from './rules-limit.js';
import { columns, count } from './table.js';

/** All 242 jurisdictions are below half a megabyte. */
const maxBytes = 16 * 1024 * 1024;

export const crosscheckCommand: CommandSpec = {
  path: ['rulepack', 'crosscheck'],
  summary: "where packs and OpenStreetMap's table of default limits do not agree",
  positionals: '[PACK…]',
  arity: [0, 100],
  options: {
    osm: { type: 'string', value: 'FILE', help: 'your copy of legal_default_speeds.json' },
    'as-of': { type: 'string', value: 'DATE', help: 'law of this day; default today' },
    ...rulepackOptions,
  },
  details:
    'A hint for people who keep a pack, never truth: the table is older than the law in places and knows no signs, hours\n' +
    'or days. Its data is CC BY-SA 2.0 and not part of the program. Without PACK every pack that has a row is compared.\n' +
    'Exit code 0, also where they differ.',
  examples: [
    ['drivemcp rulepack crosscheck --osm legal_default_speeds.json', 'every pack'],
    ['drivemcp rulepack crosscheck AUT CHE --osm legal_default_speeds.json --json', 'a line a disagreement'],
  ],
  run: crosscheck,
};

async function crosscheck(invocation: Invocation): Promise<number> {
  const { values, positionals, terminal } = invocation;
  const file = stringOption(values, 'osm');
  if (file === undefined)
    throw new DriveMcpError('USAGE', '--osm names the table', {
      hint: 'drivemcp rulepack crosscheck --osm legal_default_speeds.json',
    });
  const asOf = dateOption(stringOption(values, 'as-of'));
  const { parseOsmSpeedTable } = await import('../../mcp/rules/crosscheck/osm-speed-table.js');
  const { crosscheckPack } = await import('../../mcp/rules/crosscheck/crosscheck-pack.js');
  const { rulesOf } = await import('../../mcp/rules/rules-expert.js');
  const what = 'a table of default speed limits';
  const bytes = readBounded(file, { maxBytes, tooLarge: 'SPEED_TABLE_INVALID', what });
  const table = parseOsmSpeedTable(file, bytes.toString('utf8'));
  const packs = await rulepacksOf(invocation);
  for (const id of positionals)
    if (!packs.has(id))
      throw new DriveMcpError('USAGE', `there is no rulepack ${id}`, { hint: 'drivemcp rules packs' });
  let total = 0;
  let compared = 0;
  let undecided = 0;
  const rows: string[][] = [];
  const silent: string[] = [];
  for (const { manifest } of packs.values()) {
    if (positionals.length > 0 ? !positionals.includes(manifest.id) : manifest.kind === 'companion') continue;
    const code = manifest.jurisdiction.path.at(-1) ?? '';
    const theirs = table.speedLimitsByCountryCode[code];
    const rules = rulesOf(packs, manifest.id, asOf);
    if (theirs === undefined || rules === null) {
      if (positionals.length > 0) terminal.message(`drivemcp: the table has no row for ${code}`);
      continue;
    }
    const found = crosscheckPack(rules, theirs);
    total += found.disagreements.length;
    compared += found.compared;
    undecided += found.undecided;
    silent.push(...found.unmapped.map((road) => `${manifest.id} ${road}`));
    for (const one of found.disagreements) {
      const { road, vehicle, osm, ours, cite, docId, rule } = one;
      rows.push([manifest.id, road, vehicle, osm, ours, cite]);
      if (terminal.json)
        terminal.object({ pack: manifest.id, road, vehicle, osm, ours, cite, doc_id: docId, rule });
    }
  }
  const { revisionId = null, timestamp = null, license = null } = table.meta;
  if (terminal.json) {
    const source = { revision: revisionId, timestamp, licence: license };
    terminal.object({
      summary: { compared, disagreements: total, undecided, unmapped: silent, as_of: asOf, table: source },
    });
    return 0;
  }
  if (rows.length > 0) {
    const heads = ['pack', 'road', 'vehicle', 'OSM', 'pack says', 'provision'];
    const align = heads.map(() => 'left' as const);
    for (const line of columns([heads, ...rows], align, terminal.tableWidth)) terminal.line(line);
    terminal.line();
  }
  if (silent.length > 0) terminal.line(`not compared, no word for the road: ${silent.join('; ')}`);
  if (undecided > 0)
    terminal.line(`${count(undecided, 'situation')} not compared: the tags cannot be decided here`);
  terminal.line(`${count(total, 'disagreement')} in ${count(compared, 'comparison')}, law of ${asOf}`);
  const of = [
    revisionId === null ? [] : [`revision ${revisionId}`],
    timestamp === null ? [] : [timestamp],
  ].flat();
  terminal.line(
    `table: ${of.join(', ') || 'undated'}; a hint where to look again, never truth; not legal advice`,
  );
  return 0;
}
