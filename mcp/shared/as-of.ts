/** Days as arguments of tools: the law of which day is meant. */
import { z } from 'zod';

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** A day that the calendar has. */
export const asOfField = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'a date as YYYY-MM-DD')
  .refine(isDay, 'there is no such day')
  .describe('law of this day, YYYY-MM-DD; default today (UTC)');

/** The day of a moment in UTC, as YYYY-MM-DD. */
export function today(nowWallMs: number): string {
  return new Date(nowWallMs).toISOString().slice(0, 10);
}
