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

export function objectSize(object: Buffer): number {
  return object.readUInt32LE(8);
}

export function objectType(object: Buffer): number {
  return object.readUInt32LE(12);
}

/** Whether the base header at the start of `object` can be true. */
export function isPlausible(object: Buffer): boolean {
  const type = objectType(object);
  const size = objectSize(object);
  const headerBytes = object.readUInt16LE(4);
  if (headerBytes < baseHeaderBytes || headerBytes > 256 || size < headerBytes) return false;
  if (type === blfTypes.logContainer) return size <= containerBytesMax;
  return size <= (canTypes.has(type) ? canObjectBytesMax : otherObjectBytesMax);
}

/** Whether an object may start within the padding behind `at`; true where `bytes` end before that can be seen. */
export function objectFollows(bytes: Buffer, at: number): boolean {
  const end = at + paddingBytesMax + blfObjectMagic.length;
  return bytes.length < end || bytes.subarray(at, end).includes(blfObjectMagic);
}
