import { stringify } from 'smol-toml';
import { loadConfig } from '../runtime/config.js';
import { configSchema } from '../runtime/config-schema.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { installedPackNotices } from '../tools/rulepack-notices.js';
import { type CommandSpec, stringOption } from './command.js';
import { configFile } from './config-file.js';

export const commands: readonly CommandSpec[] = [
  {
    path: ['config'],
    summary: 'checks the configuration and prints every key with its value',
    arity: [0, 0],
    options: {
      effective: { type: 'boolean', help: 'what is in force: file over defaults (also without it)' },
    },
    details:
      'One TOML file. Every number carries its unit in the key; a key that is not known is an error with its\nline. Options of a command win over the file, the file over the defaults.',
    examples: [
      ['drivemcp config --effective', 'every key, its value and what it means, as TOML'],
      [
        'drivemcp config --config rig.toml',
        'checks rig.toml; exit code 78 and file, line and key if it is wrong',
      ],
    ],
    async run({ values, terminal }) {
      const { config, file, digest } = loadConfig(configFile(values));
      for (const text of installedPackNotices(
        config.vehicle.jurisdiction,
        resolveStateDir(stringOption(values, 'state')),
      )) {
        terminal.message(`drivemcp: ${text}`);
      }
      if (terminal.json) {
        terminal.object({ config, file, digest });
        return 0;
      }
      terminal.line(`# ${file ?? 'no configuration file: defaults'}`);
      terminal.line(`# digest ${digest}`);
      for (const [section, keys] of Object.entries(config)) {
        terminal.line(`\n[${section}]`);
        const lines = Object.entries(keys).map(([key, value]) => stringify({ [key]: value }).trim());
        const width = Math.max(...lines.map((line) => line.length));
        const help = descriptions(section);
        for (const [i, key] of Object.keys(keys).entries()) {
          const words = help[key] ?? '';
          terminal.line(words === '' ? lines[i] : `${(lines[i] ?? '').padEnd(width)}  # ${words}`);
        }
      }
      return 0;
    },
  },
];

/** What the schema says about the keys of a section. */
function descriptions(section: string): Record<string, string> {
  const schema = configSchema.toJSONSchema() as {
    properties?: Record<string, { properties?: Record<string, { description?: string }> }>;
  };
  const properties = schema.properties?.[section]?.properties ?? {};
  return Object.fromEntries(Object.entries(properties).map(([key, leaf]) => [key, leaf.description ?? '']));
}
