const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Formats the time since `atMs`, such as "12 s ago". Times at least 30 days ago, or more than a minute in the future, become a date. Both
 * parameters are epoch milliseconds.
 */
export function formatRelative(atMs: number, nowMs: number): string {
  const ago = nowMs - atMs;
  // Clocks of two machines differ slightly, so a time up to a minute in the future counts as now.
  if (ago < -MINUTE) return formatDate(atMs);
  if (ago < 2 * SECOND) return 'just now';
  if (ago < MINUTE) return `${Math.floor(ago / SECOND)} s ago`;
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} min ago`;
  if (ago < DAY) return `${Math.floor(ago / HOUR)} h ago`;
  if (ago < 30 * DAY) return `${Math.floor(ago / DAY)} d ago`;
  return formatDate(atMs);
}

/** Formats the date in the viewer's time zone, as 2026-01-31. */
export function formatDate(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

/** Formats month and day in the viewer's time zone, as 01-31. */
export function formatDay(atMs: number): string {
  return formatDate(atMs).slice(5);
}

/** Formats the time of day in the viewer's time zone to the second, as 14:02:10. */
export function formatTimeOfDay(atMs: number): string {
  return formatClock(atMs).slice(0, 8);
}

/** Formats a time as 14:02:10.231 if it is today, otherwise as 01-31 14:02:10. */
export function formatAbsolute(atMs: number, nowMs: number): string {
  return formatDate(atMs) === formatDate(nowMs)
    ? formatClock(atMs)
    : `${formatDay(atMs)} ${formatTimeOfDay(atMs)}`;
}

/** Formats the time of day in the viewer's time zone to the millisecond, as 14:02:10.231. */
export function formatClock(atMs: number): string {
  const at = new Date(atMs);
  return `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** Formats the start of a time range to the minute, as 14:02 for today, otherwise as 2026-01-31 14:02. */
export function formatStart(atMs: number, nowMs: number = Date.now()): string {
  const time = formatClock(atMs).slice(0, 5);
  return formatDate(atMs) === formatDate(nowMs) ? time : `${formatDate(atMs)} ${time}`;
}

/**
 * Returns a formatter for the times of a range. The formatter adds the day unless the whole range is today, and the seconds only if the
 * range is shorter than a day.
 */
export function createTimeFormatter(
  fromMs: number,
  toMs: number,
  nowMs: number = Date.now(),
): (atMs: number) => string {
  const today = formatDate(nowMs);
  const isToday = formatDate(fromMs) === today && formatDate(toMs) === today;
  if (isToday) return formatTimeOfDay;
  const length = toMs - fromMs < DAY ? 'hh:mm:ss'.length : 'hh:mm'.length;
  return (atMs) => `${formatDay(atMs)} ${formatClock(atMs).slice(0, length)}`;
}

/** Formats the date, the time and the time zone's offset from UTC. */
export function formatInstant(atMs: number): string {
  const offset = -new Date(atMs).getTimezoneOffset();
  const sign = offset < 0 ? '−' : '+';
  const zone = `UTC${sign}${Math.floor(Math.abs(offset) / 60)}${offset % 60 === 0 ? '' : `:${pad(Math.abs(offset) % 60)}`}`;
  return `${formatDate(atMs)} ${formatClock(atMs)} ${zone}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
