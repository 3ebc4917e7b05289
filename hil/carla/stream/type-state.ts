/** The union in an actor's dynamic state: which of its forms it has follows from the actor's type id. */
import { wireError } from '../wire/wire-error.js';
import type { TypeState } from './episode-state.js';
import { readPackedVector, writePackedVector } from './packed-transform.js';

const signIdBytes = 32;
const unionWithSignBytes = 54;

/** `typeId` as in the actor's description: `vehicle.…`, `traffic.traffic_light`, `traffic.…`, `walker.…`. */
export function readTypeState(bytes: Buffer, typeId: string, hasSignId: boolean): TypeState {
  if (typeId.startsWith('vehicle.')) return readVehicle(bytes);
  if (typeId.startsWith('traffic.traffic_light')) return hasSignId ? readLight(bytes) : readLight098(bytes);
  if (typeId.startsWith('traffic.') && hasSignId) return { kind: 'traffic-sign', signId: readSignId(bytes) };
  if (typeId.startsWith('walker.'))
    return {
      kind: 'walker',
      control: {
        direction: readPackedVector(bytes, 0),
        speedMps: bytes.readFloatLE(12),
        jump: bytes[16] !== 0,
      },
    };
  return { kind: 'other' };
}

function readVehicle(bytes: Buffer): TypeState {
  if (bytes.length < 29) throw wireError('VehicleData', `${bytes.length} bytes`);
  return {
    kind: 'vehicle',
    control: {
      throttle: bytes.readFloatLE(0),
      steer: bytes.readFloatLE(4),
      brake: bytes.readFloatLE(8),
      handBrake: bytes[12] !== 0,
      reverse: bytes[13] !== 0,
      manualGearShift: bytes[14] !== 0,
      gear: bytes.readInt32LE(15),
    },
    speedLimitKmh: bytes.readFloatLE(19),
    trafficLightState: bytes[23] as number,
    hasTrafficLight: bytes[24] !== 0,
    trafficLightId: bytes.readUInt32LE(25),
    failureState: bytes[29] ?? 0,
  };
}

function readLight(bytes: Buffer): TypeState {
  return {
    kind: 'traffic-light',
    signId: readSignId(bytes),
    greenS: bytes.readFloatLE(32),
    yellowS: bytes.readFloatLE(36),
    redS: bytes.readFloatLE(40),
    elapsedS: bytes.readFloatLE(44),
    poleIndex: bytes.readUInt32LE(48),
    isFrozen: bytes[52] !== 0,
    state: bytes[53] as number,
  };
}

function readLight098(bytes: Buffer): TypeState {
  return {
    kind: 'traffic-light',
    signId: '',
    state: bytes[0] as number,
    greenS: bytes.readFloatLE(1),
    yellowS: bytes.readFloatLE(5),
    redS: bytes.readFloatLE(9),
    elapsedS: bytes.readFloatLE(13),
    isFrozen: bytes[17] !== 0,
    poleIndex: bytes.readUInt32LE(18),
  };
}

function readSignId(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, Math.min(end < 0 ? signIdBytes : end, signIdBytes));
}

/** The bytes of the union in the newer layout, or in the one of 0.9.8 for `hasSignId` false. */
export function writeTypeState(state: TypeState, hasSignId: boolean): Buffer {
  const bytes = Buffer.alloc(unionWithSignBytes);
  switch (state.kind) {
    case 'vehicle': {
      const { control } = state;
      bytes.writeFloatLE(control.throttle, 0);
      bytes.writeFloatLE(control.steer, 4);
      bytes.writeFloatLE(control.brake, 8);
      bytes[12] = Number(control.handBrake);
      bytes[13] = Number(control.reverse);
      bytes[14] = Number(control.manualGearShift);
      bytes.writeInt32LE(control.gear, 15);
      bytes.writeFloatLE(state.speedLimitKmh, 19);
      bytes[23] = state.trafficLightState;
      bytes[24] = Number(state.hasTrafficLight);
      bytes.writeUInt32LE(state.trafficLightId, 25);
      bytes[29] = state.failureState;
      break;
    }
    case 'traffic-light': {
      const at = hasSignId ? signIdBytes : 1;
      for (const [i, seconds] of [state.greenS, state.yellowS, state.redS, state.elapsedS].entries())
        bytes.writeFloatLE(seconds, at + 4 * i);
      if (hasSignId) {
        bytes.write(state.signId.slice(0, signIdBytes), 0, signIdBytes, 'utf8');
        bytes.writeUInt32LE(state.poleIndex, 48);
        bytes[52] = Number(state.isFrozen);
        bytes[53] = state.state;
      } else {
        bytes[0] = state.state;
        bytes[17] = Number(state.isFrozen);
        bytes.writeUInt32LE(state.poleIndex, 18);
      }
      break;
    }
    case 'traffic-sign':
      bytes.write(state.signId.slice(0, signIdBytes), 0, signIdBytes, 'utf8');
      break;
    case 'walker':
      writePackedVector(bytes, 0, state.control.direction);
      bytes.writeFloatLE(state.control.speedMps, 12);
      bytes[16] = Number(state.control.jump);
  }
  return bytes;
}
