const WEEK = 7 * 24 * 60 * 60 * 1000;

export function addWeeks(start: string, weeks: number): string {
  return new Date(Date.parse(start) + weeks * WEEK).toISOString();
}

export function weekly(start: string, times: number): string[] {
  return Array.from({ length: times }, (_, index) => addWeeks(start, index));
}
