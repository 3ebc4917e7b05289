/** What stands before every stream message: 48 packed bytes (LibCarla sensor/s11n/SensorHeaderSerializer.h). */
import type { Transform } from '../wire/geometry.js';
import { wireError } from '../wire/wire-error.js';
import { readPackedTransform, writePackedTransform } from './packed-transform.js';

export const sensorHeaderBytes = 48;

export interface SensorHeader {
  /** differs between versions: what a stream is follows from whose token was subscribed to, never from this */
  readonly sensorIndex: number;
  readonly frame: number;
  /** simulated seconds */
  readonly timestampS: number;
  readonly transform: Transform;
}

export function writeSensorHeader(header: SensorHeader): Buffer {
  const bytes = Buffer.alloc(sensorHeaderBytes);
  bytes.writeBigUInt64LE(BigInt(header.sensorIndex), 0);
  bytes.writeBigUInt64LE(BigInt(header.frame), 8);
  bytes.writeDoubleLE(header.timestampS, 16);
  writePackedTransform(bytes, 24, header.transform);
  return bytes;
}

export function readSensorHeader(message: Buffer): SensorHeader {
  if (message.length < sensorHeaderBytes)
    throw wireError('SensorHeader', `a message of ${message.length} bytes, less than its header`);
  return {
    sensorIndex: Number(message.readBigUInt64LE(0)),
    frame: Number(message.readBigUInt64LE(8)),
    timestampS: message.readDoubleLE(16),
    transform: readPackedTransform(message, 24),
  };
}
