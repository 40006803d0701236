import { dayKey, minutes, wallClock, getWeekday } from './calendar.mjs';

const LENGTHS = { vaccination: 15, 'check-up': 20, dental: 60, surgery: 120, 'nail-trim': 10 };
const booked = new Map();

export function lengthFor({ reason, species }) {
  const base = LENGTHS[reason] ?? 20;
  return species === 'horse' ? base * 2 : base;
}

function overlaps(a, b) {
  return a.from < b.to && b.from < a.to;
}

function fits(slot, [opens, closes]) {
  return slot.from >= minutes(opens) && slot.to <= minutes(closes);
}

function openingOn(clinic, day) {
  return clinic.hours[getWeekday(day)];
}

function freeVet(clinic, day, slot) {
  const taken = booked.get(`${clinic.slug}/${day}`) ?? [];
  return clinic.vets.find((vet) => !taken.some((other) => other.vet === vet && overlaps(other, slot)));
}

export function plan(clinic, start, visit) {
  const day = dayKey(start);
  const clock = wallClock(start, clinic.zone);
  const from = minutes(clock);
  const slot = { from, to: from + lengthFor(visit) };
  const opening = openingOn(clinic, day);
  if (!fits(slot, opening)) throw Object.assign(new Error(`closed at ${clock}`), { statusCode: 409 });
  const vet = freeVet(clinic, day, slot);
  if (!vet) throw Object.assign(new Error('no vet is free'), { statusCode: 409 });
  return { day, clock, ...slot, vet };
}

export function book(clinic, planned) {
  const key = `${clinic.slug}/${planned.day}`;
  booked.set(key, [...(booked.get(key) ?? []), planned]);
  return booked.get(key).length;
}
