import { asOfField, today } from '../shared/as-of.js';
import type { ServerPrompt } from '../shared/expert-server.js';
import { quotedData } from '../shared/quoted-data.js';
import { type PackShelf, places } from './pack-shelf.js';
import { jurisdictionField } from './tools/tool-fields.js';

const roads = ['urban', 'rural', 'motorway'] as const;

/** What a driver has to know who comes into another country, with the numbers that the rules give today. */
export function briefDriverPrompt(shelf: PackShelf): ServerPrompt {
  const jurisdictions = async (begun: string) =>
    places((await shelf.packs()).packs).filter((id) => id.startsWith(begun.toUpperCase()));
  return {
    name: 'brief_driver_new_jurisdiction',
    title: 'Brief the driver at a border',
    description: 'Briefing for a driver who enters a jurisdiction: limits, side, unit, with citations.',
    arguments: {
      jurisdiction: {
        description: 'where the driver enters: DEU, GBR-WLS …',
        required: true,
        complete: jurisdictions,
      },
      from: { description: 'where the driver comes from', required: false, complete: jurisdictions },
      as_of: { description: 'day of the journey, YYYY-MM-DD; default today', required: false },
    },
    async render(args, { nowWallMs }) {
      const asOf = args['as_of'] === undefined ? today(nowWallMs) : asOfField.parse(args['as_of']);
      const into = await placeData(shelf, jurisdictionField.parse(args['jurisdiction']), asOf);
      const from =
        args['from'] === undefined
          ? null
          : await placeData(shelf, jurisdictionField.parse(args['from']), asOf);
      return [
        'Brief the driver of a car in at most five short sentences before the border. Say what differs first: driving side,',
        'unit of speed, limits in town, outside town and on motorways. Name a number only if it stands in the data below, and',
        'cite its provision. Say that this is no legal advice and that signs go before it.',
        quotedData('entering', into),
        ...(from === null ? [] : [quotedData('coming from', from)]),
      ].join('\n');
    },
  };
}

async function placeData(shelf: PackShelf, jurisdiction: string, asOf: string) {
  const [{ packs }, { lookupLimit, rulesOf }] = await Promise.all([
    shelf.requirePlace(jurisdiction, asOf),
    import('./rules-expert.js'),
  ]);
  const base = rulesOf(packs, jurisdiction, asOf)?.jurisdiction.packs[0]?.manifest;
  return {
    jurisdiction,
    as_of: asOf,
    driving_side: base?.driving_side ?? null,
    speed_unit: base?.units.speed ?? null,
    limits: roads.map((road) => {
      const { limit, advisory, legal_action, citations, confidence } = lookupLimit(packs, {
        jurisdiction,
        as_of: asOf,
        context: { road, vehicle: 'car' },
      });
      return { road, limit, advisory, legal_action, citations, confidence };
    }),
  };
}
