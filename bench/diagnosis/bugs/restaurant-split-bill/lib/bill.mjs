export function billTotal(items) {
  return items.reduce((sum, item) => sum + item.price, 0);
}

export function sumPayments(payments) {
  let sum = 0;
  for (const { amount } of payments) {
    if (!(amount > 0)) throw new TypeError('invalid payment');
    sum += amount;
  }
  return sum;
}
