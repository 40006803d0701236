import { setTimeout as wait } from 'node:timers/promises';
import { leadHours, shownSlots } from './booking-rules.mjs';
import { addHours, nextDay, slotsOfDay } from './calendar.mjs';

const taken = new Map([
  ['silva', new Set(['2026-03-02T10:15', '2026-03-02T10:30'])],
  ['okoro', new Set(['2026-03-02T09:15', '2026-03-02T09:45'])],
  ['ivanova', new Set(['2026-03-03T09:00'])],
]);

async function takenSlots({ id }) {
  await wait(6);
  return taken.get(id) ?? new Set();
}

export async function openSlots(doctor, asked) {
  const earliest = addHours(asked, leadHours(doctor));
  const reserved = await takenSlots(doctor);
  const slots = [];
  let day = earliest.slice(0, 10);
  while (slots.length < shownSlots(doctor)) {
    slots.push(...slotsOfDay(doctor, day).filter((slot) => slot >= earliest && !reserved.has(slot)));
    day = nextDay(day);
  }
  return { doctor: doctor.name, slots: slots.slice(0, shownSlots(doctor)) };
}

export async function bookSlot(doctor, patient, start) {
  const reserved = await takenSlots(doctor);
  if (reserved.has(start)) return [409, { error: `${start} is taken` }];
  taken.set(doctor.id, reserved.add(start));
  return [201, { doctor: doctor.name, patient, start }];
}
