import { loadVisits } from './visits.mjs';

const STEP = 60 * 1000;
const DAY = 24 * 60 * STEP;

export function peakOccupancy(visits, start, end) {
  let peak = 0;
  let peakTime = null;
  for (let time = start; time < end; time += STEP) {
    let present = 0;
    for (const visit of visits) {
      if (visit.entered <= time && time < visit.left) present++;
    }
    if (present > peak) {
      peak = present;
      peakTime = new Date(time).toISOString();
    }
  }
  return { peak, peakTime };
}

export function parseRange(query) {
  const start = Date.parse(`${query.from}T00:00:00Z`);
  const end = Date.parse(`${query.to ?? query.from}T00:00:00Z`) + DAY;
  if (!(end > start)) throw new RangeError('bad range of dates');
  return { start, end };
}

export async function occupancyReport(hall, query) {
  const { start, end } = parseRange(query);
  const visits = await loadVisits(hall);
  const inRange = visits.filter((visit) => visit.entered >= start && visit.entered < end);
  return { hall, days: (end - start) / DAY, visitors: inRange.length, ...peakOccupancy(inRange, start, end) };
}
