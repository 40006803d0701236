import { setTimeout as wait } from 'node:timers/promises';
import { customerRow, deliveryAddress } from './customers.ts';
import { depotFor } from './depots.ts';

export interface RentalRequest {
  customer: number;
  instrument: string;
  months: number;
}

const perMonth = new Map([
  ['cello', 38],
  ['harp', 95],
  ['tuba', 44],
  ['viola', 27],
]);

async function monthlyRate(instrument: string): Promise<number> {
  await wait(3);
  const euros = perMonth.get(instrument);
  if (euros === undefined) throw Object.assign(new Error(`we have no ${instrument}`), { status: 404 });
  return euros;
}

const rentFor = (rate: number, months: number): number => Math.round(rate * months * (months >= 12 ? 0.85 : 1));

export async function rent({ customer, instrument, months }: RentalRequest) {
  const row = await customerRow(customer);
  const rate = await monthlyRate(instrument);
  const address = deliveryAddress(row);
  const depot = depotFor(address.zip);
  return {
    label: `${address.name}, ${address.street}, ${address.zip} ${address.city}`,
    depot: depot.town,
    rent: rentFor(rate, months),
    delivery: depot.euros * (instrument === 'harp' ? 3 : 1),
  };
}
