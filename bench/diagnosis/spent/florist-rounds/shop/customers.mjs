import { setTimeout as wait } from 'node:timers/promises';

const customers = {
  bistro: { name: 'Bistro Louise', district: 'Old Town', opens: '09:30' },
  clinic: { name: 'St. Anna Clinic', district: 'Hillside', opens: '07:00' },
  hotel: { name: 'Hotel Meridian', district: 'Harbour', opens: '06:00' },
  gallery: { name: 'Gallery Voss', district: 'Old Town', opens: '10:00' },
  chapel: { name: 'Chapel of Rest', district: 'Westfield', opens: '08:00' },
};

export async function customerOf(id) {
  await wait(5);
  const customer = customers[id];
  if (!customer) throw Object.assign(new Error(`no customer ${id}`), { status: 422 });
  return { id, ...customer };
}
