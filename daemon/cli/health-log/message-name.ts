/** A message as logs write it: hexadecimal, 3 digits for an 11-bit identifier, 8 for one of 29 bits. */
export function messageText(id: number, isExtended: boolean): string {
  return id
    .toString(16)
    .toUpperCase()
    .padStart(isExtended ? 8 : 3, '0');
}

/**
 * Identifiers of question and answer, which come when somebody asks and are no cyclic messages: OBD and UDS
 * (ISO 15765-4: 7DF, 7E0–7EF, 18DA…, 18DB…) and the transport of J1939 (EB, EC).
 */
export function isDiagnosticId(id: number, isExtended: boolean): boolean {
  if (!isExtended) return id >= 0x7df && id <= 0x7ef;
  const format = (id >>> 16) & 0xff;
  return format === 0xda || format === 0xdb || format === 0xeb || format === 0xec;
}
