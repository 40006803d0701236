/** Formats a day in UTC for mails, audit entries and invoices. */
export function formatDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
