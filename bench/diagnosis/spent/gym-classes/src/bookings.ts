import { registerGuest, type GuestDetails } from './guests.ts';
import { passesFor } from './passes.ts';
import { findClass, takePlaces } from './timetable.ts';

export interface BookingRequest {
  member: string;
  guest?: GuestDetails;
}

let lastNumber = 700;

export async function book(classId: string, { member, guest }: BookingRequest) {
  const gymClass = await findClass(classId);
  const placesLeft = await takePlaces(gymClass, guest ? 2 : 1);
  const id = `G${++lastNumber}`;
  if (guest) registerGuest(id, guest);
  const passes = passesFor(gymClass, id, member, guest !== undefined);
  return { id, placesLeft, passes };
}
