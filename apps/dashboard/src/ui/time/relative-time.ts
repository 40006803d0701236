const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, in words; a day that is further back than a month, or in the future, as a date. Epoch milliseconds. */
export function formatRelative(atMs: number, nowMs: number): string {
  const ago = nowMs - atMs;
  // Clocks of two machines differ a little: what seems to come from the next minute has just happened.
  if (ago < -MINUTE) return formatDate(atMs);
  if (ago < 2 * SECOND) return 'just now';
  if (ago < MINUTE) return `${Math.floor(ago / SECOND)} s ago`;
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} min ago`;
  if (ago < DAY) return `${Math.floor(ago / HOUR)} h ago`;
  if (ago < 30 * DAY) return `${Math.floor(ago / DAY)} d ago`;
  return formatDate(atMs);
}

/** The day in the viewer's zone, as 2026-01-31. */
export function formatDate(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

/** The day of the year in the viewer's zone, as 01-31. */
export function formatDay(atMs: number): string {
  return formatDate(atMs).slice(5);
}

/** The time of day in the viewer's zone to the second, as 14:02:10. */
export function formatTimeOfDay(atMs: number): string {
  return formatClock(atMs).slice(0, 8);
}

/** An instant as short as it can be told apart today: the time of day to the millisecond, and the day where it is another. */
export function formatAbsolute(atMs: number, nowMs: number): string {
  return formatDate(atMs) === formatDate(nowMs)
    ? formatClock(atMs)
    : `${formatDay(atMs)} ${formatTimeOfDay(atMs)}`;
}

/** The time of day in the viewer's zone to the millisecond, as 14:02:10.231. */
export function formatClock(atMs: number): string {
  const at = new Date(atMs);
  return `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** When a stretch begins, to the minute, as 14:02 or 2026-01-31 14:02: a day alone would leave hours open. */
export function formatStart(atMs: number, nowMs: number = Date.now()): string {
  const time = formatClock(atMs).slice(0, 5);
  return formatDate(atMs) === formatDate(nowMs) ? time : `${formatDate(atMs)} ${time}`;
}

/** Day, time and the zone's distance from UTC: nothing left to guess. */
export function formatInstant(atMs: number): string {
  const offset = -new Date(atMs).getTimezoneOffset();
  const sign = offset < 0 ? '−' : '+';
  const zone = `UTC${sign}${Math.floor(Math.abs(offset) / 60)}${offset % 60 === 0 ? '' : `:${pad(Math.abs(offset) % 60)}`}`;
  return `${formatDate(atMs)} ${formatClock(atMs)} ${zone}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
