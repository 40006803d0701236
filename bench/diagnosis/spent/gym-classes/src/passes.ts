import { guestOf, type Guest } from './guests.ts';
import type { GymClass } from './timetable.ts';

export interface Pass {
  holder: string;
  text: string;
}

function initials(name: string): string {
  return name
    .split(' ')
    .map((part) => part[0])
    .join('');
}

function memberPass(gymClass: GymClass, member: string): Pass {
  return { holder: member, text: `${gymClass.title}, ${gymClass.room}, ${gymClass.starts}` };
}

function guestPass(gymClass: GymClass, bookingId: string): Pass {
  const { name, waiver } = guestOf(bookingId) as Guest;
  return { holder: name, text: `${gymClass.title}, guest ${initials(name)}, waiver ${waiver}` };
}

export function passesFor(gymClass: GymClass, bookingId: string, member: string, withGuest: boolean): Pass[] {
  const passes = [memberPass(gymClass, member)];
  if (withGuest) passes.push(guestPass(gymClass, bookingId));
  return passes;
}
