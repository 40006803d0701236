import { setTimeout as sleep } from 'node:timers/promises';

const menu = new Map([
  ['soup', 4],
  ['salad', 5],
  ['pasta', 8],
  ['salmon', 14],
  ['goulash', 11],
  ['sorbet', 4],
  ['tiramisu', 6],
]);

export async function findPrice(dish) {
  await sleep(70);
  const price = menu.get(dish);
  if (price === undefined) throw new Error(`${dish} is not on the menu`);
  return price;
}
