export interface CameraSize {
  readonly widthPx: number;
  readonly heightPx: number;
  /** pictures a second of the simulator's time */
  readonly rateHz: number;
}

/** One picture of the ego's camera, ready to be sent. */
export interface CameraFrame {
  /** number of the simulator's frame */
  readonly frame: number;
  /** the simulator's clock, s; begins anew with a new session */
  readonly timestampS: number;
  /** the same on the bridge's clock, µs since its first step; never goes back */
  readonly tUs: number;
  /** when the picture came, µs since the epoch on this machine's clock */
  readonly receivedWallUs: number;
  /** when it was encoded, on the same clock */
  readonly readyWallUs: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** baseline JPEG, 4:2:0, with the Huffman tables of Annex K of ITU-T T.81 */
  readonly jpeg: Buffer;
}

/** Who gets pictures. One that is slow is offered the newest when it can take one again; what it missed is counted. */
export interface FrameReader {
  offer(frame: CameraFrame): void;
}

/** The newest picture, and who is to get the next. */
export class CameraFrames {
  readonly #readers = new Set<FrameReader>();
  #latest: CameraFrame | null = null;
  published = 0;

  get latest(): CameraFrame | null {
    return this.#latest;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** No picture is the newest any more: the camera has gone. */
  forget(): void {
    this.#latest = null;
  }

  publish(frame: CameraFrame): void {
    this.#latest = frame;
    this.published++;
    for (const reader of this.#readers) reader.offer(frame);
  }

  /** @returns ends it */
  subscribe(reader: FrameReader): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }
}
