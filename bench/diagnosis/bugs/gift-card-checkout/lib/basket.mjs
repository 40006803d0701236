import { setTimeout as sleep } from 'node:timers/promises';

const prices = new Map([
  ['mug', 1250],
  ['tee', 2490],
  ['poster', 1800],
  ['pin', 450],
]);

export async function priceBasket(items) {
  await sleep(2);
  const lines = items.map(({ sku, qty = 1 }) => {
    const price = prices.get(sku);
    if (price === undefined) throw new Error(`unknown sku ${sku}`);
    return { sku, qty, amount: price * qty };
  });
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  return { lines, total };
}
