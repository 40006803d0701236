import { setTimeout as wait } from 'node:timers/promises';

const cards = new Map();

export async function saveCard(year, card) {
  await wait(4);
  const list = cards.get(year) ?? [];
  list.push(card);
  cards.set(year, list);
  return list.length;
}
