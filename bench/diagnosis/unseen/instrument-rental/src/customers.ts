import { setTimeout as wait } from 'node:timers/promises';

export interface CustomerRow {
  id: number;
  bill_name: string;
  bill_street: string;
  bill_zip: string;
  bill_city: string;
  ship_name?: string;
  ship_street?: string;
  ship_zip?: string;
  ship_city?: string;
}

export interface Address {
  name: string;
  street: string;
  zip: string;
  city: string;
}

const rows: CustomerRow[] = [
  { id: 301, bill_name: 'Miriam Lang', bill_street: 'Sternstr. 5', bill_zip: '01099', bill_city: 'Dresden' },
  { id: 302, bill_name: 'Musikschule Süd', bill_street: 'Isarweg 14', bill_zip: '81371', bill_city: 'München' },
  { id: 303, bill_name: 'Tariq Osei', bill_street: 'Domhof 1', bill_zip: '50668', bill_city: 'Köln', ship_name: 'Amara Osei' },
  {
    id: 304,
    bill_name: 'Kammerchor e. V.',
    bill_street: 'Am Hof 22',
    bill_zip: '50667',
    bill_city: 'Köln',
    ship_name: 'Probenraum Altstadt',
    ship_street: 'Steinstr. 10',
    ship_zip: '20095',
    ship_city: 'Hamburg',
  },
  { id: 305, bill_name: 'Greta Blum', bill_street: 'Elbchaussee 9', bill_zip: '22765', bill_city: 'Hamburg' },
];

export async function customerRow(id: number): Promise<CustomerRow> {
  await wait(5);
  const row = rows.find((one) => one.id === id);
  if (!row) throw Object.assign(new Error(`customer ${id} does not exist`), { status: 404 });
  return row;
}

export function billingAddress(row: CustomerRow): Address {
  return { name: row.bill_name, street: row.bill_street, zip: row.bill_zip, city: row.bill_city };
}

export function deliveryAddress(row: CustomerRow): Address {
  return {
    name: row.ship_name ?? row.bill_name,
    street: row.ship_street ?? row.bill_street,
    zip: row.bill_zip,
    city: row.ship_city ?? row.bill_city,
  };
}
