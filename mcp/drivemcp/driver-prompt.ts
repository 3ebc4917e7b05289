import type { ServerPrompt } from '../shared/expert-server.js';
import type { ExpertTool } from '../shared/expert-tool.js';
import { quotedData } from '../shared/quoted-data.js';

const neverWithdrawn = new AbortController().signal;

/** The answer is that of the tool; the model only speaks. */
export function driverPrompt(ask: ExpertTool): ServerPrompt {
  return {
    name: 'answer_driver',
    title: 'Answer a driver',
    description:
      "A driver's question with the answer of the experts and the current state, to be told in plain words.",
    arguments: {
      question: { description: 'in English, German or French', required: true },
      jurisdiction: { description: 'whose law: DEU, GBR/WLS; default where the daemon is', required: false },
    },
    async render({ question, jurisdiction }, { nowWallMs }) {
      const answer = await ask.call(
        { question, ...(jurisdiction === undefined ? {} : { jurisdiction }) },
        { signal: neverWithdrawn, nowWallMs },
      );
      return [
        'Answer the driver in the language of the question, shortly: the first sentence of the data, then the reasons. Use only',
        'numbers and citations of the data, add none. Say what is not known. Not legal advice. Research software, not a safety',
        'mechanism.',
        quotedData('question', question ?? ''),
        quotedData('answer', answer),
      ].join('\n');
    },
  };
}
