/** Objects of Vector's binary logging format (BLF): sizes, types and places of their fields. */

export const blfFileMagic = 'LOGG';
export const blfObjectMagic = 'LOBJ';

/** Magic, header size, header version, object size, type. */
export const baseHeaderBytes = 16;

export const blfTypes = {
  canMessage: 1,
  canError: 2,
  logContainer: 10,
  canErrorExt: 73,
  canMessage2: 86,
  canFdMessage: 100,
  canFdMessage64: 101,
  canFdError64: 104,
} as const;

/** No CAN object is larger: 64 data bytes behind two headers, and extra data of the recorder. */
const canObjectBytesMax = 1024;
/** Other objects (Ethernet, text, system variables) within a container. */
const otherObjectBytesMax = 1_048_576;
/** Containers hold 128 KB by default; what is larger than this is damage. */
export const containerBytesMax = 33_554_432;

const canTypes = new Set<number>([
  blfTypes.canMessage,
  blfTypes.canError,
  blfTypes.canErrorExt,
  blfTypes.canMessage2,
  blfTypes.canFdMessage,
  blfTypes.canFdMessage64,
  blfTypes.canFdError64,
]);

/** Objects are padded to even or fourfold sizes, depending on the recorder. */
export const paddingBytesMax = 8;

/** Magic of an object as a number. */
const objectMagicNumber = 0x4a424f4c;

export function objectSize(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + 8);
}

export function objectType(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + 12);
}

/** Whether the base header at `at` can be true. */
export function isPlausible(bytes: Buffer, at: number): boolean {
  const type = objectType(bytes, at);
  const size = objectSize(bytes, at);
  const headerBytes = bytes.readUInt16LE(at + 4);
  if (headerBytes < baseHeaderBytes || headerBytes > 256 || size < headerBytes) return false;
  if (type === blfTypes.logContainer) return size <= containerBytesMax;
  return size <= (canTypes.has(type) ? canObjectBytesMax : otherObjectBytesMax);
}

/** Where an object begins within the padding behind `at`, −1 where there is none, or too little to tell. */
export function paddedObject(bytes: Buffer, at: number): number {
  const last = Math.min(at + paddingBytesMax, bytes.length - 4);
  for (let i = at; i <= last; i++) if (bytes.readUInt32LE(i) === objectMagicNumber) return i;
  return -1;
}

/** Whether an object may begin behind `at`; true where `bytes` end before that can be seen. */
export function objectFollows(bytes: Buffer, at: number): boolean {
  return bytes.length < at + paddingBytesMax + 4 || paddedObject(bytes, at) >= 0;
}
