import { listParcels } from './parcels.mjs';
import { findZone } from './zones.mjs';

export async function planTour(tour) {
  const parcels = listParcels(tour);
  if (parcels.length === 0) return null;
  const stops = new Map();
  for (const parcel of parcels) {
    const zone = (await findZone(parcel.postcode)) ?? 'unassigned';
    stops.set(zone, (stops.get(zone) ?? 0) + 1);
  }
  return { tour, parcels: parcels.length, zones: Object.fromEntries(stops) };
}
