import { z } from 'zod';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import type { PackShelf } from '../pack-shelf.js';

export function listPacksTool(shelf: PackShelf): ExpertTool {
  return expertTool({
    name: 'rules_list_packs',
    title: 'Installed rulepacks',
    description:
      'Lists the packs of traffic law that answer on this machine: place, version, signature, dates, number of rules and how sure they are (A read in the official text, B in a secondary source, C not read), and packs that are not used. Research software, not a safety mechanism.',
    input: z.strictObject({}),
    output: z.strictObject({
      packs: z.array(
        z.strictObject({
          id: z.string(),
          version: z.string().describe('id, version, first six bytes of the tree hash'),
          kind: z.enum(['base', 'overlay', 'companion', 'temporary']),
          jurisdiction_path: z.array(z.string()),
          origin: z.enum(['built-in', 'installed']),
          signature: z.enum(['built-in', 'signed', 'unsigned', 'tampered']),
          languages: z.array(z.string()),
          speed_unit: z.enum(['km/h', 'mph']),
          driving_side: z.enum(['left', 'right']),
          law_as_of: z.string().describe('the last amendment that was taken in'),
          review_until: z.string(),
          rules: z.number().int(),
          documents: z.number().int(),
          certainty: z.strictObject({ A: z.number().int(), B: z.number().int(), C: z.number().int() }),
        }),
      ),
      refused: z.array(z.strictObject({ id: z.string(), code: z.string(), reason: z.string() })),
    }),
    async run() {
      const { set } = await shelf.packs();
      return {
        packs: [...set.packs.values()].map(({ pack, origin, signature }) => {
          const { manifest } = pack;
          const certainty = { A: 0, B: 0, C: 0 };
          for (const rule of pack.rules) certainty[rule.certainty]++;
          return {
            id: manifest.id,
            version: pack.version,
            kind: manifest.kind,
            jurisdiction_path: [...manifest.jurisdiction.path],
            origin,
            signature: signature.state,
            languages: [...manifest.language],
            speed_unit: manifest.units.speed,
            driving_side: manifest.driving_side,
            law_as_of: manifest.law_as_of,
            review_until: manifest.valid.until,
            rules: pack.rules.length,
            documents: pack.documents.size,
            certainty,
          };
        }),
        refused: set.refused.map(({ id, error }) => ({ id, code: error.code, reason: error.message })),
      };
    },
  });
}
