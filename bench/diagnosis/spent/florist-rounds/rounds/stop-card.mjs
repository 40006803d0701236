import { customerOf } from '../shop/customers.mjs';
import { drivingMinutes, handoverMinutes, toClock, toMinutes } from './clock.mjs';

function note(arrives, opens) {
  return arrives < toMinutes(opens) ? `closed until ${opens}` : 'open';
}

export async function stopCard(stop, position, departs, km) {
  const customer = await customerOf(stop.customer);
  const arrives = toMinutes(departs) + drivingMinutes(km) + handoverMinutes(position);
  return {
    customer: customer.name,
    bouquets: stop.bouquets,
    arrives: toClock(arrives),
    note: note(arrives, customer.opens),
  };
}
