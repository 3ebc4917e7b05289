/** The five seats of the simulated car, as AOSP's reference configuration of Android 14 lists them for the climate. */
export const cabinSeats = [0x1, 0x4, 0x10, 0x40, 0x20] as const;
export type SeatArea = (typeof cabinSeats)[number];

export const driverSeat: SeatArea = 0x1;
/** all of them as one area: HVAC_ALL of the reference configuration */
export const allSeats = 0x75;

/** Seats on the left belong to the left zone; the middle one counts to it, as in the reference configuration. */
export function isLeft(seat: number): boolean {
  return (seat & 0x31) !== 0;
}
