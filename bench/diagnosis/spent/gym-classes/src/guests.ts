import { setTimeout as wait } from 'node:timers/promises';

export interface GuestDetails {
  name: string;
  phone: string;
}

export interface Guest extends GuestDetails {
  waiver: string;
}

const pastGuests = new Map<string, Guest>([
  ['07700900114', { name: 'Leo Grant', phone: '07700900114', waiver: 'WV-31' }],
  ['07700900256', { name: 'Sofia Brandt', phone: '07700900256', waiver: 'WV-44' }],
]);

const guests = new Map<string, Guest>();

async function signWaiver({ name, phone }: GuestDetails): Promise<Guest> {
  await wait(14);
  const guest = { name, phone, waiver: `WV-${50 + pastGuests.size}` };
  pastGuests.set(phone, guest);
  return guest;
}

export async function registerGuest(bookingId: string, details: GuestDetails): Promise<void> {
  const guest = pastGuests.get(details.phone) ?? (await signWaiver(details));
  guests.set(bookingId, guest);
}

export function guestOf(bookingId: string): Guest | undefined {
  return guests.get(bookingId);
}
