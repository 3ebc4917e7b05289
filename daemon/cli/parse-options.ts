import { parseArgs } from 'node:util';
import { DriveMcpError } from '../core/errors.js';
import { type CommandSpec, type OptionSpec, type OptionValues, sharedOptions } from './command.js';
import { nearestWord } from './nearest-word.js';

/**
 * The options and arguments of a command line. What an option takes is told in our words: which one is
 * unknown, lacks its value, has one too many, or has a value that is not among its choices.
 * @throws DriveMcpError USAGE
 */
export function parseOptions(
  spec: CommandSpec,
  argv: readonly string[],
): { values: OptionValues; positionals: string[] } {
  const name = `drivemcp ${spec.path.join(' ')}`;
  const all: Record<string, OptionSpec> = { ...sharedOptions, ...spec.options };
  const options: Record<string, { type: 'string' | 'boolean'; multiple: boolean }> = {};
  for (const [option, { type, multiple }] of Object.entries(all))
    options[option] = { type, multiple: multiple === true };
  const parsed = parseArgs({
    args: [...argv],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const refuse = (message: string) => {
    throw new DriveMcpError('USAGE', message, { hint: `${name} --help lists its options` });
  };
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(all, token.name) ? all[token.name] : undefined;
    if (option === undefined || !token.rawName.startsWith('--')) {
      const near = nearestWord(token.name, Object.keys(all));
      refuse(
        `${name} has no option ${token.rawName}${near === undefined ? '' : `; did you mean --${near}?`}`,
      );
    } else if (option.type === 'boolean') {
      if (token.value !== undefined) refuse(`${token.rawName} takes no value, got '${token.value}'`);
    } else if (token.value === undefined) {
      refuse(`${token.rawName} needs a value: ${option.value ?? 'VALUE'}`);
    } else if (token.inlineValue === false && /^-./.test(token.value)) {
      refuse(
        `${token.rawName} needs a value (${option.value ?? 'VALUE'}), and '${token.value}' looks like an option; a value that begins so is written ${token.rawName}=${token.value}`,
      );
    } else if (option.choices !== undefined && !option.choices.includes(token.value)) {
      const near = nearestWord(token.value, option.choices);
      refuse(
        `${token.rawName} ${token.value}: one of ${option.choices.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`,
      );
    }
  }
  return { values: parsed.values as OptionValues, positionals: parsed.positionals };
}
