const DAY_HOURS = 24;

export function toHour(time) {
  const hour = parseInt(time, 10);
  if (Number.isNaN(hour) || hour < 0 || hour >= DAY_HOURS) throw new RangeError(`bad time ${time}`);
  return hour;
}

function breakFor(hours) {
  if (hours > 9) return 0.75;
  if (hours > 6) return 0.5;
  return 0;
}

export function shiftHours(shift) {
  const start = toHour(shift.start);
  const end = toHour(shift.end);
  const span = end > start ? end - start : end + DAY_HOURS - start;
  return span - breakFor(span);
}
