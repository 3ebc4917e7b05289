/** Which encoder `default` means, and why: the figures stand in ARCHITECTURE.md, decision "Encoder of dense retrieval". */
export const defaultEncoder = {
  name: 'subword',
  reason: 'needs no file and no optional package; the trained encoder has to show first that it finds more',
} as const;
