import { chargeFor } from '../billing/charges.mjs';
import { addMonths, daysBetween } from '../lib/dates.mjs';

function assertRenewable(rental) {
  if (rental.noticeGiven) {
    throw Object.assign(new Error(`unit ${rental.unit} is under notice`), { statusCode: 409 });
  }
}

const formatEuros = (cents) => `${(cents / 100).toFixed(2)} EUR`;

export function createRenewals({ store, ledger, clock }) {
  function toReceipt(rental, entry, until) {
    return {
      receipt: entry.id,
      unit: rental.unit,
      tenant: rental.tenant.name,
      from: rental.paidUntil,
      until,
      days: daysBetween(rental.paidUntil, until),
      amount: formatEuros(entry.cents),
      issuedAt: clock().toISOString(),
    };
  }

  return {
    async renew(number, { months, method }) {
      const rental = await store.find(number);
      assertRenewable(rental);
      const until = addMonths(rental.paidUntil, months);
      const charge = chargeFor(rental, months, method);
      const entry = await ledger.post(until, { rental: number, method, cents: charge.total });
      await store.extend(number, until);
      return toReceipt(rental, entry, until);
    },
  };
}
