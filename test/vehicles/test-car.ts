/** The car of test-car.dbc: profiles of it and frames it would send. */
import type { SignalSample } from '../../daemon/core/tick.js';
import { readDbcFile } from '../../daemon/vehicles/profile/dbc-set.js';
import { useProfile } from '../../daemon/vehicles/profile/load-profile.js';
import { parseProfile } from '../../daemon/vehicles/profile/parse-profile.js';
import type { ProfileDecoder } from '../../daemon/vehicles/profile/profile-decoder.js';
import type { ProfileSignal } from '../../daemon/vehicles/profile/profile-schema.js';
import { fixture } from '../helpers/paths.js';
import { framesOf, type TestFrame } from './frames-of.js';

export const testCarDbc = readDbcFile(fixture('vehicles', 'test-car.dbc'));

export function profileOf(signals: Record<string, ProfileSignal>): ProfileDecoder {
  const text = JSON.stringify(
    { profile: 1, name: 'test', dbc: [{ file: 'test-car.dbc' }], signals },
    null,
    1,
  );
  return useProfile(parseProfile(text, 'test.json'), [testCarDbc]).profile;
}

export function feed(profile: ProfileDecoder, frames: readonly TestFrame[]): SignalSample[] {
  const { batch, tUs } = framesOf(frames);
  profile.consume(batch, 0, batch.count, tUs);
  return profile.drain();
}

/** ESP_STATE with a right checksum (CRC-8 SAE J1850 over bytes 0 … 6) and counter. */
export function espState(speedRaw: number, counter: number, flags = 0, tUs = counter * 20_000): TestFrame {
  const data = [speedRaw >> 8, speedRaw & 0xff, flags, counter % 15, 0, 0, 0];
  let crc = 0xff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x1d) & 0xff : (crc << 1) & 0xff;
  }
  return { id: 256, data: [...data, crc ^ 0xff], tUs };
}

export const protectedSpeed: Record<string, ProfileSignal> = {
  'ESP_STATE.VEH_SPEED': {
    vss: 'Vehicle.Speed',
    period_ms: 20,
    invalid_raw: [65535],
    counter: { signal: 'ESP_CNT', modulo: 15 },
    checksum: { kind: 'crc8_sae_j1850', signal: 'ESP_CRC' },
    required: true,
  },
  'ESP_STATE.ABS_ACTIVE': { vss: 'Vehicle.ADAS.ABS.IsEngaged' },
  'ESP_STATE.BRAKE_PEDAL': { vss: 'Vehicle.Chassis.Brake.IsBrakePedalPressed', offset: -1 },
};
