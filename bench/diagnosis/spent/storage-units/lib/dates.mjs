const DAY_MS = 24 * 60 * 60 * 1000;

export const toDay = (date) => date.toISOString().slice(0, 10);

export const atMidnight = (day) => new Date(`${day}T00:00:00Z`);

export function addMonths(day, months) {
  const date = atMidnight(day);
  date.setUTCMonth(date.getUTCMonth() + months);
  return toDay(date);
}

export function daysBetween(from, to) {
  return Math.round((atMidnight(to) - atMidnight(from)) / DAY_MS);
}

/** YYYY-MM of a day. */
export function monthOf(day) {
  return day.slice(0, 7);
}
