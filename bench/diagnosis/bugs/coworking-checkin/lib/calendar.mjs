const ZONE = 'Europe/Berlin';

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

export function formatTime(date) {
  return clock.format(date);
}

export function formatDay(date) {
  return date.toISOString().slice(0, 10);
}
