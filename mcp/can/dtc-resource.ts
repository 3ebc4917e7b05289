import { DriveMcpError } from '../../daemon/core/errors.js';
import { packCache, type ServerResource } from '../shared/expert-server.js';

/** `dtc://P0301`: what a trouble code means, in English and German; the tables are read when somebody asks. */
export const dtcResource: ServerResource = {
  name: 'dtc',
  title: 'Meaning of a trouble code',
  description:
    'What a diagnostic trouble code (P0301, U0100-87, 110/3) means, how urgent it is and what to do, with certainty.',
  uri: 'dtc://{code}',
  mimeType: 'application/json',
  cache: packCache,
  complete: {
    async code(begun) {
      const { knownCodesFrom } = await import('../../daemon/vehicles/dtc/dtc-knowledge.js');
      return knownCodesFrom(begun.toUpperCase());
    },
  },
  async read({ code = '' }) {
    const [{ dtcText, parseDtc }, { explainCode }] = await Promise.all([
      import('../../daemon/vehicles/dtc/dtc-code.js'),
      import('../../daemon/vehicles/dtc/dtc-knowledge.js'),
    ]);
    if (code.length > 40) throw new DriveMcpError('TOOL_ARGS_INVALID', 'no trouble code is that long');
    const parsed = parseDtc(code);
    return JSON.stringify({
      code: dtcText(parsed),
      en: explainCode(parsed, 'en'),
      de: explainCode(parsed, 'de'),
    });
  },
};
