import { setTimeout as wait } from 'node:timers/promises';

export interface NewOffer {
  seller: string;
  condition: 'new' | 'good' | 'worn';
  cents: number;
}

interface Offer extends NewOffer {
  id: number;
  isbn13: string;
}

const offers: Offer[] = [
  { id: 1, isbn13: '9780804429573', seller: 'liane', condition: 'good', cents: 850 },
  { id: 2, isbn13: '9780804429573', seller: 'okapi', condition: 'worn', cents: 400 },
  { id: 3, isbn13: '9780198534532', seller: 'prof_b', condition: 'good', cents: 2900 },
  { id: 4, isbn13: '9780975229804', seller: 'okapi', condition: 'new', cents: 1200 },
];

export async function cheapest(isbn13: string) {
  await wait(5);
  const found = offers.filter((offer) => offer.isbn13 === isbn13).sort((a, b) => a.cents - b.cents);
  return { count: found.length, from: found[0]?.cents ?? null, sellers: found.map(({ seller }) => seller) };
}

export async function addOffer(isbn13: string, offer: NewOffer) {
  await wait(5);
  const id = offers.length + 1;
  offers.push({ id, isbn13, ...offer });
  return { id, isbn13 };
}
