import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tinyDbc, tinyLog, tinyProfile } from '../daemon/tiny-drive.js';

/** Files that the calls of the vehicle server name. */
export function writeSampleFiles(folder: string): void {
  writeFileSync(join(folder, 'tiny.dbc'), tinyDbc);
  writeFileSync(join(folder, 'profile.json'), tinyProfile);
  writeFileSync(join(folder, 'drive.log'), tinyLog({ seconds: 2 }));
}

/** One call that succeeds for every tool of every server; a tool without one fails the tests. */
export const sampleCalls: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  rules_lookup_limit: { jurisdiction: 'DEU', context: { road: 'rural', vehicle: 'car_trailer' } },
  rules_search: { query: 'How fast with a caravan on a country road?', jurisdiction: 'DEU', k: 2 },
  rules_explain_sign: { sign: '274-80', jurisdiction: 'DE', home: 'FRA' },
  rules_cite: { doc_id: 'de:stvo:p3', span: '3.2.c' },
  rules_list_packs: {},
  weather_assess: { precipitation: 40, ambient_c: 4, v_mps: 25 },
  can_dbc_info: { file: 'tiny.dbc' },
  can_find_signals: { file: 'tiny.dbc', query: 'speed' },
  can_message_layout: { file: 'tiny.dbc', message: 'MOTION' },
  can_decode_frame: { dbc: ['tiny.dbc'], id: '256', data: '8813000000000000' },
  can_dbc_check: { file: 'tiny.dbc' },
  can_dbc_diff: { before: 'tiny.dbc', after: 'tiny.dbc' },
  can_log_probe: { file: 'drive.log' },
  can_log_stats: { file: 'drive.log' },
  can_log_decode: { file: 'drive.log', dbc: ['tiny.dbc'], limit: 5 },
  can_signal_series: { file: 'drive.log', dbc: ['tiny.dbc'], signals: ['MOTION.VehicleSpeed'] },
  can_health: { signals: { 'Vehicle.Chassis.Axle.Row1.Wheel.Left.Tire.Pressure': 150 } },
  can_signals: { log: 'drive.log', profile: 'profile.json', dbc: ['tiny.dbc'] },
  can_dtcs: { codes: ['P0301'] },
  drivemcp_status: {},
  drivemcp_explain: { tick: 20 },
  drivemcp_audit_query: { limit: 3 },
  drivemcp_ask: { question: 'How fast may I drive here?', jurisdiction: 'DEU', context: { road: 'rural' } },
  drivemcp_advise: {
    world_state: {
      speed_mps: 20,
      jurisdiction: 'DEU',
      road: { road_class: 'rural', surface: 'wet' },
      leads: [{ gap_m: 8, closing_mps: 6 }],
    },
  },
};
