import { setTimeout as sleep } from 'node:timers/promises';

const range = (from, count) => Array.from({ length: count }, (_, i) => from + i);

const courses = new Map([
  ['LAT1', { title: 'Latin I', enrolled: range(10, 3) }],
  ['GRK2', { title: 'Greek II', enrolled: range(40, 2) }],
  ['PHI9', { title: 'Kant Seminar', enrolled: range(15, 4) }],
  ['ART3', { title: 'Printmaking', enrolled: range(90, 3) }],
  ['MUS4', { title: 'Counterpoint', enrolled: range(120, 2) }],
  ['ECO1', { title: 'Introduction to Economics', enrolled: range(1, 240) }],
]);

export async function findCourse(code) {
  await sleep(2);
  return courses.get(code) ?? null;
}
