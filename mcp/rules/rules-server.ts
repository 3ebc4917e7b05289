import type { ExpertServer } from '../shared/expert-server.js';
import { briefDriverPrompt } from './brief-prompt.js';
import { packResources } from './pack-resources.js';
import { PackShelf, type PackShelfOptions } from './pack-shelf.js';
import { SearchMeans, type SearchMeansOptions } from './search-means.js';
import { citeTool } from './tools/cite.js';
import { explainSignTool } from './tools/explain-sign.js';
import { listPacksTool } from './tools/list-packs.js';
import { lookupLimitTool } from './tools/lookup-limit.js';
import { searchTool } from './tools/search.js';

/** The traffic-rules expert as an MCP server. Nothing is read from disk before a call needs it. */
export function rulesServer(options: PackShelfOptions & SearchMeansOptions, version: string): ExpertServer {
  const shelf = new PackShelf(options);
  const means = new SearchMeans(options);
  return {
    name: 'rules',
    title: 'DriveMCP traffic rules',
    version,
    instructions:
      'Traffic law from rulepacks: speed limits by structured rules, meanings of signs, cited text. Answers name rule, provision and confidence. Read-only. Not legal advice. Research software, not a safety mechanism.',
    tools: [
      lookupLimitTool(shelf),
      searchTool(shelf, means),
      explainSignTool(shelf),
      citeTool(shelf),
      listPacksTool(shelf),
    ],
    resources: packResources(shelf),
    prompts: [briefDriverPrompt(shelf)],
    close: () => means.close(),
  };
}
