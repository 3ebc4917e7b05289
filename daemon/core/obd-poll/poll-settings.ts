/** What a poller is told, and the limits it keeps. Times in µs. */

export interface PollSettings {
  /** identifiers of 11 or 29 bits; auto: 11 first, 29 where nobody answers */
  readonly addressing: '11' | '29' | 'auto';
  /** addresses asked one by one for what they support, beside the functional question */
  readonly requestIds: readonly number[];
  /** from one request to the next; never less than `minimumGapUs`, whatever stands here */
  readonly gapUs: number;
  /** how long to wait for the first answer; `responseUs` on CAN, longer behind an adapter */
  readonly responseUs: number;
  /** from the start of one round to the start of the next */
  readonly intervalUs: number;
  readonly isOnce: boolean;
  /** PIDs wanted; null = every one that is supported */
  readonly pids: readonly number[] | null;
  readonly wantsVin: boolean;
  readonly wantsDtcs: boolean;
  /** ask although no other node was heard (behind a gateway the connector is silent) */
  readonly allowsSilentBus: boolean;
  /** ask although no ECU tells a voltage or an engine speed; a low voltage always ends polling */
  readonly allowsUnknownVoltage: boolean;
}

/** At most ten requests a second; the native module refuses more. */
export const minimumGapUs = 100_000;
/** P2 of ISO 15765-4 is 50 ms at the ECU; as much again for the bus, the kernel and this process. */
export const responseUs = 100_000;
/** P2* after a response pending (7F xx 78), with the same allowance. */
export const pendingUs = 5_050_000;
/** How often one ECU may say "pending" to one question, and how long all of it may take. */
export const pendingMaxCount = 10;
export const exchangeMaxUs = 30_000_000;
/** N_Cr, the longest time between frames of a long answer, and what the transport needs to tell that it ran out. */
export const nextFrameUs = 1_100_000;
/** A queue that is full (ENOBUFS) is tried again this often, and this long. */
export const sendRetryUs = 5_000;
export const sendDeadlineUs = 200_000;
/** The bus is alive while frames of other nodes came this lately. */
export const busAliveUs = 2_000_000;
/** A bus that stays silent ends polling: requests would keep ECUs awake. */
export const busSilentStopUs = 30_000_000;
/** 12.4 V is a lead-acid battery at rest, about three quarters full; below, polling would empty it. */
export const voltageMinV = 12.4;
/** Slower than any idle is a starter motor or a standing engine. */
export const engineRunningRpm = 400;
/** Voltage and engine speed are asked again when this old, and count as unknown when three times as old. */
export const vitalsUs = 10_000_000;
/** Rounds in which nobody answered, then polling ends; after each the pause doubles. */
export const silentRoundsMaxCount = 3;
export const silentPauseUs = 1_000_000;
/** A question that an ECU left open this often in a row is not put to it again. */
export const missesMaxCount = 3;
/** Trouble codes do not change by the second. */
export const dtcIntervalUs = 60_000_000;
