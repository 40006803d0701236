import { setTimeout as wait } from 'node:timers/promises';

export interface GymClass {
  id: string;
  title: string;
  room: string;
  starts: string;
  places: number;
}

const classes: GymClass[] = [
  { id: 'spin-mon', title: 'Spinning', room: 'Bike Studio', starts: 'Mon 18:30', places: 14 },
  { id: 'yoga-tue', title: 'Yoga Flow', room: 'Studio 2', starts: 'Tue 07:15', places: 20 },
  { id: 'box-wed', title: 'Boxing Basics', room: 'Ring', starts: 'Wed 19:00', places: 10 },
  { id: 'swim-thu', title: 'Aqua Fit', room: 'Pool', starts: 'Thu 12:00', places: 16 },
];

function missing(message: string, statusCode: number): Error {
  return Object.assign(new Error(message), { statusCode });
}

export async function findClass(id: string): Promise<GymClass> {
  await wait(3);
  const found = classes.find((other) => other.id === id);
  if (!found) throw missing(`no class ${id}`, 404);
  return found;
}

export async function takePlaces(gymClass: GymClass, count: number): Promise<number> {
  await wait(5);
  if (gymClass.places < count) throw missing(`${gymClass.title} is full`, 409);
  gymClass.places -= count;
  return gymClass.places;
}
