/** What a vehicle HAL answers (AOSP, StatusCode.aidl and VehiclePropertyStatus.aidl). */
export const statusCode = {
  OK: 0,
  TRY_AGAIN: 1,
  INVALID_ARG: 2,
  NOT_AVAILABLE: 3,
  ACCESS_DENIED: 4,
  INTERNAL_ERROR: 5,
  NOT_AVAILABLE_DISABLED: 6,
  NOT_AVAILABLE_SPEED_LOW: 7,
  NOT_AVAILABLE_SPEED_HIGH: 8,
  NOT_AVAILABLE_POOR_VISIBILITY: 9,
  NOT_AVAILABLE_SAFETY: 10,
} as const;
export type StatusCode = keyof typeof statusCode;

/** Status of a value in an event. */
export type Availability = 'AVAILABLE' | 'UNAVAILABLE' | 'ERROR';

/** A refusal with its code and why, in words for people. */
export interface Refusal {
  readonly status: Exclude<StatusCode, 'OK'>;
  readonly message: string;
}

export function refusal(status: Refusal['status'], message: string): Refusal {
  return { status, message };
}
