/** `rulepack …`: write, check, build and sign packs of traffic rules. */
import type { CommandSpec } from './command.js';
import { buildCommand } from './rulepack-build.js';
import { crosscheckCommand } from './rulepack-crosscheck.js';
import { diffCommand } from './rulepack-diff.js';
import { importCommand } from './rulepack-import.js';
import { initCommand } from './rulepack-init.js';
import { lintCommand } from './rulepack-lint.js';
import { keygenCommand, signCommand, verifyCommand } from './rulepack-sign.js';
import { mutateCommand, testCommand } from './rulepack-test.js';

export const commands: readonly CommandSpec[] = [
  initCommand,
  importCommand,
  lintCommand,
  testCommand,
  mutateCommand,
  buildCommand,
  keygenCommand,
  signCommand,
  verifyCommand,
  diffCommand,
  crosscheckCommand,
];
