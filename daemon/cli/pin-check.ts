import type { Config } from '../runtime/config-schema.js';
import type { DrivePin } from './bundled-drive.js';

export interface PinCheck {
  readonly state: 'equal' | 'differs' | 'not compared';
  /** for people */
  readonly text: string;
}

/**
 * Compares a run of the bundled drive with its pin; only a run whose configuration decides alike can be.
 * @param played hash of the drive file and of the decisions on it
 */
export function checkPin(
  pin: DrivePin,
  config: Config,
  defaults: Config,
  played: {
    readonly driveSha256: string;
    readonly decisionHash: string;
    /** expert calls that truly ran out of time on this machine */
    readonly timeouts: number;
  },
): PinCheck {
  if (pin.sha256 !== played.driveSha256) {
    return { state: 'differs', text: 'DIFFERS: the drive file is not the one that was pinned' };
  }
  if (!decidesLikePin(pin, config, defaults)) {
    return { state: 'not compared', text: 'not compared: options or configuration change what is decided' };
  }
  if (played.timeouts > 0 && pin.decision_hash !== played.decisionHash) {
    return {
      state: 'not compared',
      text: `not compared: on this machine ${played.timeouts} calls of experts ran out of time`,
    };
  }
  if (pin.decision_hash === null)
    return { state: 'not compared', text: 'not compared: no hash is pinned yet' };
  if (pin.decision_hash === played.decisionHash) {
    return { state: 'equal', text: 'equal: every decision is the one that was pinned' };
  }
  return { state: 'differs', text: `DIFFERS: pinned is ${pin.decision_hash}` };
}

function decidesLikePin(pin: DrivePin, config: Config, defaults: Config): boolean {
  const decides = ({ tick, core, driver, vehicle, act }: Config) =>
    JSON.stringify([tick, core, driver, vehicle, act]);
  const expected: Config = {
    ...defaults,
    core: { ...defaults.core, preset: pin.preset },
    act: { ...defaults.act, sink: 'log' },
  };
  return pin.tick_period_ms === config.tick.period_ms && decides(config) === decides(expected);
}
