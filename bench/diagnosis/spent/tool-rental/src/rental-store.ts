import { setTimeout as wait } from 'node:timers/promises';

export interface Rental {
  number: number;
  branch: string;
  tool: string;
  customer: string;
  due: string;
  perDay: number;
}

const tools: [string, number][] = [
  ['Demolition hammer', 38],
  ['Tile cutter', 22],
  ['Scaffold tower', 45],
  ['Chainsaw', 31],
  ['Floor sander', 40],
];

function rentalsOf(branch: string, count: number, first: number): Rental[] {
  return Array.from({ length: count }, (_, index) => {
    const [tool, perDay] = tools[index % tools.length] as [string, number];
    return {
      number: first + index,
      branch,
      tool,
      customer: `K${1000 + ((first + index * 3) % 77)}`,
      due: `2026-04-${String(2 + (index % 27)).padStart(2, '0')}`,
      perDay,
    };
  });
}

const rentals = [
  ...rentalsOf('north', 9, 100),
  ...rentalsOf('harbour', 14, 300),
  ...rentalsOf('west', 118, 600),
];

export class RentalStore {
  async dueBefore(branch: string, day: string): Promise<Rental[]> {
    await wait(11);
    return rentals.filter((rental) => rental.branch === branch && rental.due < day);
  }

  async ofCustomer(id: string): Promise<Rental[]> {
    await wait(7);
    return rentals.filter(({ customer }) => customer === id);
  }
}
