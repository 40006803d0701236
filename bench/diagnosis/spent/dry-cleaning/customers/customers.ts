import { setTimeout as wait } from 'node:timers/promises';

export interface Customer {
  id: string;
  name: string;
  /** The discount that was agreed with a company or a regular customer. */
  agreement: { percent: number; since: string } | null;
}

const customers = new Map<string, Customer>(
  (
    [
      { id: 'k-1', name: 'R. Novak', agreement: null },
      { id: 'k-2', name: 'Hotel Astoria', agreement: { percent: 20, since: '2021-01-01' } },
      { id: 'k-3', name: 'L. Dumont', agreement: null },
      { id: 'k-4', name: 'Bar Pinguin', agreement: { percent: 10, since: '2023-06-01' } },
      { id: 'k-5', name: 'S. Iversen', agreement: null },
    ] satisfies Customer[]
  ).map((customer) => [customer.id, customer]),
);

export async function findCustomer(id: string): Promise<Customer> {
  await wait(5);
  const customer = customers.get(id);
  if (!customer) throw Object.assign(new Error(`customer ${id} is unknown`), { status: 404 });
  return customer;
}
