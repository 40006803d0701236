import { setTimeout as wait } from 'node:timers/promises';

export interface Subscription {
  id: string;
  plan: 'taster' | 'household' | 'office';
  country: string;
  bagsPerMonth: number;
  giftFor: string | null;
  paidUntil: string;
}

const rows: Subscription[] = [
  { id: 'c-100', plan: 'taster', country: 'DE', bagsPerMonth: 1, giftFor: null, paidUntil: '2025-09-30' },
  { id: 'c-101', plan: 'household', country: 'NL', bagsPerMonth: 2, giftFor: null, paidUntil: '2025-10-31' },
  { id: 'c-102', plan: 'office', country: 'DE', bagsPerMonth: 8, giftFor: null, paidUntil: '2025-09-30' },
  { id: 'c-103', plan: 'household', country: 'IT', bagsPerMonth: 3, giftFor: null, paidUntil: '2025-12-31' },
  {
    id: 'c-104',
    plan: 'household',
    country: 'DE',
    bagsPerMonth: 2,
    giftFor: 'r-71',
    paidUntil: '2025-10-31',
  },
  { id: 'c-105', plan: 'taster', country: 'NL', bagsPerMonth: 1, giftFor: null, paidUntil: '2025-11-30' },
];

export class SubscriptionRepository {
  async get(id: string): Promise<Subscription> {
    await wait(4);
    const row = rows.find((other) => other.id === id);
    if (!row) throw Object.assign(new Error(`no subscription ${id}`), { status: 404 });
    return { ...row };
  }

  async extend(id: string, paidUntil: string): Promise<void> {
    await wait(3);
    for (const row of rows) if (row.id === id) row.paidUntil = paidUntil;
  }
}
