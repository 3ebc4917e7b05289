import { DriveMcpError } from '../core/errors.js';
import { type OptionValues, stringOption } from './command.js';

/** An option that takes a whole number from 0; undefined where it was not given. Throws USAGE. */
export function countOption(values: OptionValues, name: string): number | undefined {
  const text = stringOption(values, name);
  if (text === undefined) return undefined;
  if (!/^[0-9]{1,15}$/.test(text)) {
    throw new DriveMcpError('USAGE', `--${name} takes a whole number, got '${text}'`);
  }
  return Number(text);
}
