import { setTimeout as sleep } from 'node:timers/promises';
import { vehicles, extraPrices } from './fleet.mjs';

function withExtras(included, extras) {
  const list = included;
  for (const extra of extras) {
    if (!(extra in extraPrices)) throw new Error(`unknown extra ${extra}`);
    if (!list.includes(extra)) list.push(extra);
  }
  return list;
}

function perDay(base, extras) {
  return extras.reduce((sum, extra) => sum + extraPrices[extra], base);
}

export async function quoteRental(name, days, wanted) {
  await sleep(3);
  if (!vehicles.has(name)) return null;
  const { rate, included } = vehicles.get(name);
  const extras = withExtras(included, wanted);
  const daily = perDay(rate, extras);
  return { vehicle: name, days, extras, total: daily * days };
}
