/** The guard in native code, for every way out: nothing is asked without it, and without it nothing can be asked. */
import { loadObdTx, type ObdTxModule, requestVerdicts } from '../../../native/index.js';
import { DriveMcpError } from '../../core/errors.js';

/** @throws DriveMcpError CAN_UNAVAILABLE where the module is not built */
export function requiredObdTx(): ObdTxModule {
  const loaded = loadObdTx();
  if (loaded.module !== null) return loaded.module;
  throw new DriveMcpError('CAN_UNAVAILABLE', loaded.reason, {
    hint: 'requests pass a guard in native code; run scripts/prepare where g++ and Node headers are installed',
  });
}

/** @throws DriveMcpError INVARIANT where the request is not on the list of what may leave */
export function mustBeAllowed(guard: ObdTxModule, requestId: number, request: Uint8Array): void {
  const verdict = guard.checkRequest(requestId, requestId > 0x7ff, request);
  if (verdict === 0) return;
  throw new DriveMcpError(
    'INVARIANT',
    `the guard refuses a request of our own (${requestVerdicts[verdict] ?? verdict}): ${Buffer.from(request).toString('hex')}`,
  );
}
