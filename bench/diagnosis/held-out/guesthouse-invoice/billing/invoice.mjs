import { loadBooking } from './bookings.mjs';
import { countNights } from './calendar.mjs';

const NIGHT_CENTS = { garden: 8200, attic: 6400, river: 9800 };
const BREAKFAST_CENTS = 1150;
const CITY_TAX_CENTS = 200;

const line = (text, quantity, unitCents) => ({ text, quantity, cents: quantity * unitCents });

export async function invoiceFor(id) {
  const booking = await loadBooking(id);
  if (booking === undefined) return undefined;
  const nights = countNights(booking.arrival, booking.departure);
  const lines = [line(`Room ${booking.room}`, nights, NIGHT_CENTS[booking.room]), line('City tax', nights, CITY_TAX_CENTS)];
  if (booking.breakfast) lines.push(line('Breakfast', nights, BREAKFAST_CENTS));
  const totalCents = lines.reduce((total, { cents }) => total + cents, 0);
  return { booking: id, guest: booking.guest, nights, lines, totalCents };
}
