/** `run --act hil`: ACT to the simulated ego of a bridge on another machine. */
import { existsSync } from 'node:fs';
import { DriveMcpError } from '../core/errors.js';
import { systemClock } from '../runtime/clock.js';
import type { Config } from '../runtime/config-schema.js';
import { parseHostPort } from './host-port.js';

/**
 * Not yet connecting: `begin` it with the drive. Whether it is linked is asked every tick.
 * @throws DriveMcpError USAGE, FILE_MISSING, TOKEN_INVALID
 */
export async function openHilSink({ act }: Config, notice: (text: string) => void) {
  const usage = (message: string, hint: string): DriveMcpError =>
    new DriveMcpError('USAGE', message, { hint });
  if (act.hil_peer === '' || act.hil_key_file === '')
    throw usage('--act hil needs a bridge and its key', '--act-peer HOST:7310 --act-key-file FILE');
  const address = parseHostPort(act.hil_peer, 7310, '--act-peer');
  if (!existsSync(act.hil_key_file))
    throw new DriveMcpError('FILE_MISSING', 'there is no such key', {
      location: { file: act.hil_key_file },
      hint: 'the bridge makes it (hil bridge --act-key-file); copy it here with mode 600',
    });
  const { readOrMakeToken } = await import('../../mcp/shared/http/bearer-token.js');
  const { ActLinkClient } = await import('../../hil/act/link/act-link-client.js');
  const { value: key } = readOrMakeToken(act.hil_key_file);
  return new ActLinkClient({ ...address, key, monoUs: systemClock.monoUs, notice });
}
