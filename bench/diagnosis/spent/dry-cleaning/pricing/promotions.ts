import { setTimeout as wait } from 'node:timers/promises';

export interface Promotion {
  name: string;
  percent: number;
  from: string;
  to: string;
}

const promotions: Promotion[] = [
  { name: 'Spring coats', percent: 8, from: '2025-03-15', to: '2025-04-15' },
  { name: 'Autumn weeks', percent: 5, from: '2025-10-01', to: '2025-10-31' },
];

export async function promotionOn(day: string): Promise<Promotion | undefined> {
  await wait(3);
  return promotions.find(({ from, to }) => from <= day && day <= to);
}
