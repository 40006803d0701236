/** A day as it stands in mails, audit entries and invoices, UTC. */
export function formatDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
