const MINUTE = 60 * 1000;
const opening = Date.parse('2024-01-01T09:00:00Z');
const visits = [];

function recordVisit(day, offset, stay, hall) {
  const entered = opening + day * 24 * 60 * MINUTE + offset * MINUTE;
  visits.push({ hall, entered, left: entered + stay * MINUTE });
}

for (let day = 0; day < 366; day++) {
  for (let n = 0; n < 10; n++) {
    recordVisit(day, (n * 37 + day * 11) % 420, 30 + ((n * 13 + day) % 90), n % 2 ? 'east' : 'west');
  }
}

export async function loadVisits(hall) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return visits.filter((visit) => visit.hall === hall);
}
