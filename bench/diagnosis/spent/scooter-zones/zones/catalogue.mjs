import { setTimeout as wait } from 'node:timers/promises';

const zones = new Map([
  ['old-town', { name: 'Old Town', minimum: 25, scooters: ['s-118', 's-204'], crew: 'Van 2' }],
  ['station', { name: 'Central Station', minimum: 40, scooters: ['s-207', 's-212', 's-204'], crew: 'Van 1' }],
  ['campus', { name: 'Campus', minimum: 20, scooters: ['s-320', 's-118', 's-212'], crew: 'Van 2' }],
  ['riverside', { name: 'Riverside', minimum: 30, scooters: ['s-207', 's-311', 's-212'], crew: 'Van 3' }],
]);

export async function findZone(slug) {
  await wait(3);
  const zone = zones.get(slug);
  if (!zone) throw Object.assign(new Error(`no zone ${slug}`), { status: 404 });
  return zone;
}
