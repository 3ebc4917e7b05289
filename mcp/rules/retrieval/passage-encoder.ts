/** E5-like encoders prepend another word to a question than to a text that may answer it; the others ignore the role. */
export type TextRole = 'passage' | 'query';

/**
 * Turns text into vectors for the dense half of retrieval. The fused score maps a cosine c to
 * max(0, (c − c₀) / (1 − c₀)) with c₀ = `randomCosine`: encoders differ in where unrelated texts
 * sit (multilingual ones near 0.7), and without c₀ "nothing matches" would not look low.
 */
export interface PassageEncoder {
  /** Names the encoder and what it computes: vectors of two encoders with the same id may be mixed. */
  readonly id: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /** mean cosine of random pairs */
  readonly randomCosine: number;
  /**
   * Vectors in the order of the texts; the same text gives the same vector alone or in a batch.
   * A text in which the encoder knows nothing gives the zero vector, so its cosine with anything is 0.
   * @param role of all texts of this call; default: passage
   * @throws DriveMcpError ENCODER_UNAVAILABLE; the reason of `signal` between two parts of a long call
   */
  encode(
    texts: readonly string[],
    role?: TextRole,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> /* unit length */;
  /** Ends workers and frees memory; `encode` afterwards rejects. */
  close(): Promise<void>;
}
