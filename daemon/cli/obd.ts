import type { CommandSpec } from './command.js';
import { decodeCommand } from './obd-decode.js';
import { pollCommand } from './obd-poll.js';

export const commands: readonly CommandSpec[] = [decodeCommand, pollCommand];
