/** Bits of a record that hold a number: MDF 4, channel block. */
export interface RecordField {
  readonly byteOffset: number;
  readonly bitOffset: number;
  readonly bitCount: number;
  readonly kind: 'unsigned' | 'unsignedBigEndian' | 'float' | 'floatBigEndian';
}

/** Bytes that the field reaches over. */
export function fieldBytes(field: RecordField): number {
  return Math.ceil((field.bitOffset + field.bitCount) / 8);
}

/** The number at the field, where the record begins at `at`. Integers above 2^53 lose their last bits. */
export function readField(bytes: Buffer, at: number, field: RecordField): number {
  const from = at + field.byteOffset;
  switch (field.kind) {
    case 'float':
      return field.bitCount === 32 ? bytes.readFloatLE(from) : bytes.readDoubleLE(from);
    case 'floatBigEndian':
      return field.bitCount === 32 ? bytes.readFloatBE(from) : bytes.readDoubleBE(from);
    default: {
      const count = fieldBytes(field);
      let value = 0;
      if (field.kind === 'unsigned')
        for (let i = count - 1; i >= 0; i--) value = value * 256 + bytes[from + i]!;
      else for (let i = 0; i < count; i++) value = value * 256 + bytes[from + i]!;
      if (field.bitOffset > 0) value = Math.floor(value / 2 ** field.bitOffset);
      return field.bitCount < 53 ? value % 2 ** field.bitCount : value;
    }
  }
}

/** MDF data types of channels that hold numbers; null for all others. */
export function fieldKind(dataType: number, bitCount: number): RecordField['kind'] | null {
  switch (dataType) {
    case 0:
    case 2:
      return 'unsigned';
    case 1:
    case 3:
      return 'unsignedBigEndian';
    case 4:
      return bitCount === 32 || bitCount === 64 ? 'float' : null;
    case 5:
      return bitCount === 32 || bitCount === 64 ? 'floatBigEndian' : null;
    default:
      return null;
  }
}
