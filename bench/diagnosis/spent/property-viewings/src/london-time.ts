const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "2026-05-08 18:30" */
export function formatLocal(instant: string): string {
  const parts = clock.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]);
  const { year, month, day, hour, minute } = Object.fromEntries(parts);
  return `${year}-${month}-${day} ${hour}:${minute}`;
}

export function parseLocal(local: string): string {
  const asUtc = Date.parse(`${local.replace(' ', 'T')}Z`);
  const shown = Date.parse(`${formatLocal(new Date(asUtc).toISOString()).replace(' ', 'T')}Z`);
  return new Date(asUtc - (shown - asUtc)).toISOString();
}
