import { setTimeout as wait } from 'node:timers/promises';

export interface Line {
  goods: string;
  heading: string;
  currency: string;
  amount: number;
}

export interface Invoice {
  id: string;
  importer: string;
  lines: Line[];
}

function teaLines(count: number): Line[] {
  const grades = ['Sencha', 'Gyokuro', 'Hojicha', 'Genmaicha', 'Bancha'];
  return Array.from({ length: count }, (_, index) => ({
    goods: `${grades[index % grades.length]} lot ${index + 1}`,
    heading: '0902',
    currency: 'JPY',
    amount: 42_000 + index * 1_300,
  }));
}

const invoices: Invoice[] = [
  {
    id: 'I-71',
    importer: 'Bergson',
    lines: [{ goods: 'Bells', heading: '8306', currency: 'CHF', amount: 870 }],
  },
  {
    id: 'I-72',
    importer: 'Hallam',
    lines: [{ goods: 'Oak casks', heading: '4416', currency: 'EUR', amount: 2150 }],
  },
  {
    id: 'I-73',
    importer: 'Osei & Co',
    lines: [
      { goods: 'Mugs', heading: '6912', currency: 'USD', amount: 640 },
      { goods: 'Kettles', heading: '8516', currency: 'USD', amount: 1180 },
    ],
  },
  {
    id: 'I-74',
    importer: 'Bergson',
    lines: [
      { goods: 'Watch straps', heading: '9113', currency: 'CHF', amount: 510 },
      { goods: 'Springs', heading: '7320', currency: 'CHF', amount: 95 },
      { goods: 'Oil', heading: '2710', currency: 'EUR', amount: 60 },
    ],
  },
  { id: 'I-75', importer: 'Leaf House', lines: teaLines(34) },
  {
    id: 'I-76',
    importer: 'Hallam',
    lines: [{ goods: 'Corks', heading: '4503', currency: 'EUR', amount: 410 }],
  },
  {
    id: 'I-77',
    importer: 'Leaf House',
    lines: [
      { goods: 'Darjeeling', heading: '0902', currency: 'INR', amount: 61_000 },
      { goods: 'Assam', heading: '0902', currency: 'INR', amount: 38_500 },
    ],
  },
];

export async function findInvoice(id: string): Promise<Invoice | undefined> {
  await wait(5);
  return invoices.find((invoice) => invoice.id === id);
}
