import { accountOf, charge, rebateOf } from './accounts.mjs';
import { allocate, allocationOf } from './cellars.mjs';
import { parcelsFor } from './parcels.mjs';

const centsPerCase = { riesling: 5400, spaetburgunder: 7800, sekt: 6900 };

let lastNumber = 4100;

function priceOf(wine, cases, rebate) {
  const full = centsPerCase[wine] * cases;
  return Math.round((full * (100 - rebate)) / 100);
}

export async function placeOrder({ member, wine, cases }) {
  const account = await accountOf(member);
  const order = { id: `W-${(lastNumber += 1)}`, wine, cases };
  const cents = priceOf(wine, cases, rebateOf(account));
  allocate(order);
  const { receipt } = await charge(account, cents);
  const parcels = parcelsFor(account, allocationOf(order.id));
  return { order: order.id, receipt, cents, parcels };
}
