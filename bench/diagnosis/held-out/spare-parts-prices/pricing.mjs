const rates = { EUR: 1, SEK: 11.02, NOK: 11.61 };
const discounts = { retail: 0, trade: 0.22 };

function round(amount) {
  return Math.round(amount * 100) / 100;
}

export function findPrice(part, { currency, priceList }) {
  const net = part.retail * (1 - discounts[priceList]);
  return { amount: round(net * rates[currency]), currency };
}
