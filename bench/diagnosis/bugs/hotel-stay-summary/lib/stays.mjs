import { findGuest } from './guests.mjs';

const rates = { single: 95, double: 130, suite: 240 };
const DAY = 24 * 60 * 60 * 1000;

const stays = new Map([
  ['S-1', { id: 'S-1', guestId: 101, room: 'suite', arrival: '2025-03-01', departure: '2025-03-04' }],
  ['S-2', { id: 'S-2', guestId: 102, room: 'single', arrival: '2025-03-02', departure: '2025-03-03' }],
  ['S-3', { id: 'S-3', guestId: 103, room: 'double', arrival: '2025-03-05', departure: '2025-03-10' }],
  ['S-4', { id: 'S-4', guestId: 104, room: 'double', arrival: '2025-03-06', departure: '2025-03-08' }],
  ['S-5', { id: 'S-5', guestId: 105, room: 'single', arrival: '2025-03-07', departure: '2025-03-09' }],
  ['S-6', { id: 'S-6', guestId: 101, room: 'double', arrival: '2025-04-11', departure: '2025-04-12' }],
]);

export function countNights(stay) {
  return Math.round((Date.parse(stay.departure) - Date.parse(stay.arrival)) / DAY);
}

export function housekeepingNotes(guest) {
  const wishes = guest.preferences;
  const notes = [`${wishes.pillow} pillow`, `${wishes.floor} floor`];
  if (wishes.newspaper) notes.push('newspaper at the door');
  return notes;
}

export async function summarize(stayId) {
  const stay = stays.get(stayId);
  if (!stay) return null;
  const guest = await findGuest(stay.guestId);
  const nights = countNights(stay);
  return {
    stay: stay.id,
    guest: guest.name,
    nights,
    total: nights * rates[stay.room],
    notes: housekeepingNotes(guest),
  };
}
