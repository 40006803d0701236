import { parcelsOf } from './parcels.mjs';
import { zoneOf } from './zones.mjs';

export async function planTour(tour) {
  const parcels = parcelsOf(tour);
  if (parcels.length === 0) return null;
  const stops = new Map();
  for (const parcel of parcels) {
    const zone = (await zoneOf(parcel.postcode)) ?? 'unassigned';
    stops.set(zone, (stops.get(zone) ?? 0) + 1);
  }
  return { tour, parcels: parcels.length, zones: Object.fromEntries(stops) };
}
