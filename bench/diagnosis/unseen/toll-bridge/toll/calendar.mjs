const holidays = new Set(['2025-05-26', '2025-07-04', '2025-09-01']);

export function dayOf(at) {
  return new Date(at).toISOString().slice(0, 10);
}

export function kindOf(day) {
  if (holidays.has(day)) return 'holiday';
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6 ? 'weekend' : 'workday';
}
