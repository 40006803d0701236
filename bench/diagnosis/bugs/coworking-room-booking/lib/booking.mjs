import { rulesFor } from './rules.mjs';

const bookings = [];

function violations(rules, { guests, from, to }) {
  const found = [];
  if (guests > rules.maxGuests) found.push(`at most ${rules.maxGuests} guests`);
  if (to - from > rules.maxHours) found.push(`at most ${rules.maxHours} hours`);
  if (from < rules.opens || to > rules.closes) found.push('outside the opening hours');
  return found;
}

function overlaps(a, b) {
  return a.room === b.room && a.date === b.date && a.from < b.to && b.from < a.to;
}

export async function bookRoom(request) {
  const rules = await rulesFor(request.room);
  if (!rules) return { status: 404, body: { error: 'unknown room' } };
  const found = violations(rules, request);
  if (found.length > 0) return { status: 422, body: { error: found.join(', ') } };
  if (bookings.some((booking) => overlaps(booking, request))) {
    return { status: 409, body: { error: 'room is taken' } };
  }
  const booking = { ...request, id: bookings.length + 1 };
  bookings.push(booking);
  return { status: 201, body: booking };
}
