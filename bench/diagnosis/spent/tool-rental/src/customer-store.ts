import { setTimeout as wait } from 'node:timers/promises';

export interface Customer {
  id: string;
  name: string;
  phone: string;
  trade: boolean;
}

const firstNames = ['Alma', 'Boris', 'Chloe', 'Dev', 'Edith', 'Frank', 'Gwen'];
const lastNames = [
  'Abbot',
  'Bauer',
  'Cruz',
  'Dunn',
  'Ellis',
  'Fong',
  'Gupta',
  'Horvat',
  'Iqbal',
  'Jansen',
  'Kerr',
];

const customers = Array.from(
  { length: 77 },
  (_, index): Customer => ({
    id: `K${1000 + index}`,
    name: `${firstNames[index % 7]} ${lastNames[index % 11]}`,
    phone: `0151 ${String(2_410_000 + index * 137)}`,
    trade: index % 4 === 0,
  })
);

export class CustomerStore {
  async find(id: string): Promise<Customer> {
    await wait(8);
    const customer = customers.find((other) => other.id === id);
    if (!customer) throw Object.assign(new Error(`no customer ${id}`), { statusCode: 404 });
    return customer;
  }
}
