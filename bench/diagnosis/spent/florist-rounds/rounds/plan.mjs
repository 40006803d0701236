import { inTurn } from '../lib/in-turn.mjs';
import { legKm } from '../shop/streets.mjs';
import { stopCard } from './stop-card.mjs';

const LOOKUPS_AT_ONCE = 2;
const VAN_CAPACITY = 40;

function assertFitsVan(stops) {
  const bouquets = stops.reduce((sum, stop) => sum + stop.bouquets, 0);
  if (bouquets > VAN_CAPACITY)
    throw Object.assign(new Error(`${bouquets} bouquets do not fit`), { status: 409 });
  return bouquets;
}

export async function planRound({ departs, stops }) {
  const bouquets = assertFitsVan(stops);
  const cards = [];
  let km = 0;
  for (const [position, stop] of stops.entries()) {
    km += legKm(stops[position - 1]?.customer ?? null, stop.customer);
    cards.push(() => stopCard(stop, position, departs, km));
  }
  return { departs, bouquets, km, stops: await inTurn(cards, LOOKUPS_AT_ONCE) };
}
