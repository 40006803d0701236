const DAY_MS = 86_400_000;

function localMidnight(day) {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}

export function countNights(arrival, departure) {
  const elapsed = localMidnight(departure) - localMidnight(arrival);
  return Math.floor(elapsed / DAY_MS);
}
