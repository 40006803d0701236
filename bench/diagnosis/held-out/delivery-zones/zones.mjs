import { fetchZone } from './zone-service.mjs';

const cache = new Map();

export async function findZone(postcode) {
  const cached = cache.get(postcode);
  if (cached) return cached;
  const zone = await fetchZone(postcode);
  cache.set(postcode, zone);
  return zone;
}
