const highSeason = (day: string) => day.slice(5) >= '07-12' && day.slice(5) <= '08-31';

export function priceOf(perDay: number, days: string[]): number {
  const price = days.reduce((sum, day) => sum + perDay * (highSeason(day) ? 1.2 : 1), 0);
  return Math.round(price * weeklyRebate(days.length));
}

function weeklyRebate(days: number): number {
  return days >= 7 ? 0.92 : 1;
}
