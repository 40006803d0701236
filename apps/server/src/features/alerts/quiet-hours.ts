import type { QuietHours } from '@throughline/contract';

/** Returns true within the quiet hours, in the rule's time zone. */
export function isQuiet(quietHours: QuietHours | null, at: Date): boolean {
  if (quietHours === null) return false;
  const { from, until, timeZone } = quietHours;
  const now = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
  return from < until ? now >= from && now < until : now >= from || now < until;
}
