/**
 * ISO date of a Unix time in UTC, by arithmetic alone (proleptic Gregorian calendar; days-from-civil method of
 * H. Hinnant, public domain). The core has no clock and no date library.
 */
export function isoDate(wallMs: number): string {
  if (!Number.isFinite(wallMs)) return '0000-01-01';
  const days = Math.floor(wallMs / 86_400_000) + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

function padded(value: number, digits: number): string {
  return String(Math.min(9999, Math.max(0, value))).padStart(digits, '0');
}
