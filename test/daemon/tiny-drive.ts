/** A car of two signals and a minute's piece of its bus, made here: small enough to read. */

export const tinyDbc = `VERSION ""
NS_ :
BS_:
BU_: ESP
BO_ 256 MOTION: 8 ESP
 SG_ VehicleSpeed : 0|16@1+ (0.01,0) [0|300] "km/h" Vector__XXX
 SG_ BrakePressed : 16|1@1+ (1,0) [0|1] "" Vector__XXX
CM_ SG_ 256 VehicleSpeed "Vehicle speed";
CM_ SG_ 256 BrakePressed "Brake pedal pressed";
`;

export const tinyProfile = JSON.stringify({
  profile: 1,
  name: 'tiny',
  dbc: [{ file: 'tiny.dbc' }],
  signals: {
    'MOTION.VehicleSpeed': { vss: 'Vehicle.Speed', period_ms: 20, required: true },
    'MOTION.BrakePressed': { vss: 'Vehicle.Chassis.Brake.IsBrakePedalPressed', period_ms: 20 },
  },
});

/** One frame as candump -L writes it. */
export function tinyFrame(tS: number, kmh: number): string {
  const raw = Math.round(kmh * 100);
  const hex = (byte: number) => byte.toString(16).padStart(2, '0').toUpperCase();
  return `(${tS.toFixed(6)}) can0 100#${hex(raw & 0xff)}${hex(raw >> 8)}000000000000\n`;
}

export interface TinyLog {
  readonly seconds: number;
  readonly startS?: number;
  readonly kmh?: (tS: number) => number;
}

/** 50 frames a second. */
export function tinyLog({ seconds, startS = 1_700_000_000, kmh = () => 50 }: TinyLog): string {
  let text = '';
  for (let i = 0; i < seconds * 50; i++) text += tinyFrame(startS + i / 50, kmh(i / 50));
  return text;
}

export function tinyFiles(log: TinyLog = { seconds: 4 }): Record<string, string> {
  return { 'tiny.dbc': tinyDbc, 'profile.json': tinyProfile, 'drive.log': tinyLog(log) };
}
