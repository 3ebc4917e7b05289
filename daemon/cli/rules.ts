/** `rules …`: traffic rules, signs and what is read about them. */
import type { CommandSpec } from './command.js';
import { askCommand } from './rules-ask.js';
import { citeCommand } from './rules-cite.js';
import { rulesDiffCommand } from './rules-diff.js';
import { evalCommand, tuneCommand } from './rules-eval.js';
import { limitCommand } from './rules-limit.js';
import { doctorCommand, installCommand, packsCommand, removeCommand } from './rules-packs.js';
import { parseCommand } from './rules-parse.js';
import { signCommand } from './rules-sign.js';

export const commands: readonly CommandSpec[] = [
  askCommand,
  limitCommand,
  citeCommand,
  rulesDiffCommand,
  signCommand,
  parseCommand,
  evalCommand,
  tuneCommand,
  installCommand,
  removeCommand,
  packsCommand,
  doctorCommand,
];
