/**
 * Experts end with the daemon even where it is killed and cannot end them: one that hangs in a loop would not notice that
 * its input has ended. The kernel does it (PR_SET_PDEATHSIG, set by util-linux' setpriv before it becomes the command), for
 * the death of the thread that started the process as well.
 */
import { spawnSync } from 'node:child_process';
import type { ChildCommand } from './child-command.js';

const setpriv = '/usr/bin/setpriv';
const boundTo = ['--pdeathsig', 'KILL', '--'];
let isKnown: boolean | undefined;

/** The command as it is started; where setpriv is not to be had, as it is: then the end of its input has to do. */
export function endingWithParent(command: ChildCommand): ChildCommand {
  // Asked once: other programs of that name know no such option.
  isKnown ??= spawnSync(setpriv, [...boundTo, '/bin/true'], { env: {}, stdio: 'ignore' }).status === 0;
  return isKnown ? { file: setpriv, args: [...boundTo, command.file, ...command.args] } : command;
}
