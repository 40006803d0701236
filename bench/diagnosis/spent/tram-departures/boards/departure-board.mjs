import { tripsThrough } from '../timetable/trips.mjs';
import { BoardCache } from './board-cache.mjs';

const cache = new BoardCache({ maxEntries: 200, ttlMs: 20_000 });
const WINDOW_MINUTES = 45;

function minutesOf(clock) {
  const [hours, minutes] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

function boardKey(stop, query) {
  return `${stop.code}@${query.at}`;
}

function toDeparture(trip, now) {
  return {
    line: trip.line,
    towards: trip.towards,
    in: minutesOf(trip.at) - now,
    vehicle: trip.vehicle.type,
    lowFloor: trip.vehicle.lowFloor,
  };
}

async function buildBoard(stop, { at, wheelchair }) {
  const now = minutesOf(at);
  const trips = await tripsThrough(stop.code);
  return trips
    .filter((trip) => !wheelchair || trip.vehicle.lowFloor)
    .map((trip) => toDeparture(trip, now))
    .filter((departure) => departure.in >= 0 && departure.in <= WINDOW_MINUTES)
    .sort((a, b) => a.in - b.in);
}

export function departureBoard(stop, query) {
  return cache.getOrLoad(boardKey(stop, query), () => buildBoard(stop, query));
}
