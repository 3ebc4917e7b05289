/** The native modules for tests, or the reason to skip where they are not built. */
import { type CanRxModule, type HostModule, loadCanRx, loadHost } from '../../native/index.js';

const [canRxLoaded, hostLoaded] = [loadCanRx(), loadHost()];

export const skip =
  (canRxLoaded.module === null && `native module missing: ${canRxLoaded.reason}`) ||
  (hostLoaded.module === null && `native module missing: ${hostLoaded.reason}`);
/** only to be used where `skip` is false */
export const canRx = canRxLoaded.module as CanRxModule;
export const host = hostLoaded.module as HostModule;
