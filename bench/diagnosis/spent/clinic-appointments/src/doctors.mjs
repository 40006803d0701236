import { setTimeout as wait } from 'node:timers/promises';

const doctors = new Map(
  [
    { id: 'brandt', name: 'Dr. Brandt', speciality: 'ENT', opens: 9, closes: 13, minutes: 30, leadHours: 48 },
    { id: 'ivanova', name: 'Dr. Ivanova', speciality: 'skin', opens: 8, closes: 12, minutes: 20 },
    {
      id: 'okoro',
      name: 'Dr. Okoro',
      speciality: 'walk-in',
      opens: 8,
      closes: 16,
      minutes: 15,
      leadHours: 0,
    },
    { id: 'silva', name: 'Dr. Silva', speciality: 'family', opens: 8, closes: 12, minutes: 15, leadHours: 2 },
    { id: 'young', name: 'Dr. Young', speciality: 'eyes', opens: 10, closes: 15, minutes: 30, leadHours: 1 },
  ].map((doctor) => [doctor.id, doctor])
);

export async function findDoctor(id) {
  await wait(4);
  return doctors.get(id);
}
