/** Adds months in UTC, with the same day and time. Uses the last day of months that are too short. */
export function addMonths(start: Date, months: number): Date {
  const sum = new Date(start);
  sum.setUTCDate(1);
  sum.setUTCMonth(sum.getUTCMonth() + months);
  const days = new Date(Date.UTC(sum.getUTCFullYear(), sum.getUTCMonth() + 1, 0)).getUTCDate();
  sum.setUTCDate(Math.min(start.getUTCDate(), days));
  return sum;
}
