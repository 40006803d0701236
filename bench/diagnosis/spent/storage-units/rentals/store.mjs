import { setTimeout as wait } from 'node:timers/promises';

const seed = [
  {
    number: 'r-1180',
    unit: 'A-07',
    size: 4,
    paidUntil: '2024-12-11',
    tenant: { name: 'Ida Lund', since: 2021 },
  },
  {
    number: 'r-1207',
    unit: 'A-19',
    size: 6,
    paidUntil: '2024-12-31',
    tenant: { name: 'Karel Vos', since: 2022 },
  },
  {
    number: 'r-1212',
    unit: 'B-02',
    size: 12,
    paidUntil: '2025-01-05',
    tenant: { name: 'Mona Sayed', since: 2019 },
  },
  {
    number: 'r-1219',
    unit: 'B-11',
    size: 6,
    paidUntil: '2025-01-14',
    tenant: { name: 'Tom Aske', since: 2023 },
  },
  {
    number: 'r-1233',
    unit: 'C-01',
    size: 20,
    paidUntil: '2025-01-20',
    tenant: { name: 'Fjord Ski AS', since: 2020 },
  },
  {
    number: 'r-1240',
    unit: 'C-08',
    size: 4,
    paidUntil: '2025-01-31',
    tenant: { name: 'Nadia Petrov', since: 2024 },
  },
  {
    number: 'r-1251',
    unit: 'C-15',
    size: 12,
    paidUntil: '2024-12-28',
    tenant: { name: 'Hugo Brandt', since: 2018 },
  },
];

export function createRentalStore() {
  const rentals = new Map(seed.map((rental) => [rental.number, { noticeGiven: false, ...rental }]));

  async function find(number) {
    await wait(2);
    const rental = rentals.get(number);
    if (rental === undefined) throw Object.assign(new Error(`no rental ${number}`), { statusCode: 404 });
    return { ...rental };
  }

  async function extend(number, paidUntil) {
    await wait(1);
    rentals.set(number, { ...rentals.get(number), paidUntil });
  }

  return { find, extend };
}
