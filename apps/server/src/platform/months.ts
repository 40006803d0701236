/** Adds months in UTC. The day and time stay the same; in months that are too short, uses the last day. */
export function addMonths(start: Date, months: number): Date {
  const sum = new Date(start);
  sum.setUTCDate(1);
  sum.setUTCMonth(sum.getUTCMonth() + months);
  const days = new Date(Date.UTC(sum.getUTCFullYear(), sum.getUTCMonth() + 1, 0)).getUTCDate();
  sum.setUTCDate(Math.min(start.getUTCDate(), days));
  return sum;
}
