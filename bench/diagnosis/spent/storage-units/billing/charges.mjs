const RATES = [
  { upTo: 5, cents: 4900 },
  { upTo: 10, cents: 7900 },
  { upTo: 15, cents: 12500 },
  { upTo: Number.POSITIVE_INFINITY, cents: 18900 },
];
const SURCHARGES = { cash: 250 };

function rateFor(size) {
  return RATES.find(({ upTo }) => size <= upTo).cents;
}

function loyaltyShare(since) {
  if (since <= 2020) return 0.1;
  return since <= 2022 ? 0.05 : 0;
}

export function chargeFor(rental, months, method) {
  const rent = rateFor(rental.size) * months;
  const discount = Math.round(rent * loyaltyShare(rental.tenant.since));
  const surcharge = SURCHARGES[method] ?? 0;
  return { rent, discount, surcharge, total: rent - discount + surcharge };
}
