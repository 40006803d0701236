const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** The calendar day of an instant, as YYYY-MM-DD. */
export function dayKey(instant) {
  return instant.toISOString().slice(0, 10);
}

export function getWeekday(day) {
  return DAYS[new Date(`${day}T12:00:00Z`).getUTCDay()];
}

/** HH:MM on the wall of a clinic. */
export function wallClock(instant, zone) {
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(instant);
}

export function minutes(clock) {
  const [hour, minute] = clock.split(':').map(Number);
  return hour * 60 + minute;
}
