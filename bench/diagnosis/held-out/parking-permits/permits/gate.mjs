import { findPermit } from './registry.mjs';

const zoneOfGarage = { station: 'A', theatre: 'A', hospital: 'B' };
const inside = new Map();

function refuse(statusCode, code, message) {
  return Object.assign(new Error(message), { statusCode, code });
}

function assertValid({ plate, validUntil }, now) {
  if (validUntil <= now) {
    throw refuse(403, 'PERMIT_EXPIRED', `permit of ${plate} is no longer valid`);
  }
}

function openBarrier(garage, plate) {
  const cars = inside.get(garage) ?? new Set();
  cars.add(plate);
  inside.set(garage, cars);
  return cars.size;
}

export async function admit(garage, plate) {
  const zone = zoneOfGarage[garage];
  if (zone === undefined) throw refuse(404, 'NO_GARAGE', 'unknown garage');
  const permit = await findPermit(plate);
  if (permit === undefined || permit.zone !== zone) throw refuse(403, 'NO_PERMIT', 'no permit for this garage');
  assertValid(permit, Date.now());
  return { garage, plate: permit.plate, occupied: openBarrier(garage, permit.plate) };
}
