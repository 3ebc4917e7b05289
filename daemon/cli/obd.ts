import type { CommandSpec } from './command.js';
import { decodeCommand } from './obd-decode.js';

export const commands: readonly CommandSpec[] = [decodeCommand];
