/** The same day and time so many months later, UTC; the last day of a month that has no such day. */
export function addMonths(start: Date, months: number): Date {
  const sum = new Date(start);
  sum.setUTCDate(1);
  sum.setUTCMonth(sum.getUTCMonth() + months);
  const days = new Date(Date.UTC(sum.getUTCFullYear(), sum.getUTCMonth() + 1, 0)).getUTCDate();
  sum.setUTCDate(Math.min(start.getUTCDate(), days));
  return sum;
}
