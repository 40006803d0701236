const menu = new Map([
  ['soup', { price: 6.5, group: 'food' }],
  ['risotto', { price: 14, group: 'food' }],
  ['steak', { price: 27, group: 'food' }],
  ['tiramisu', { price: 7, group: 'food' }],
  ['water', { price: 3, group: 'drink' }],
  ['wine', { price: 8, group: 'drink' }],
]);

const vouchers = new Map([
  ['LUNCH10', { percent: 10, minimum: 0 }],
  ['DINNER20', { percent: 20, minimum: 60 }],
]);

export function priceLine({ dish, count }) {
  const item = menu.get(dish);
  return { dish, count, group: item.group, amount: item.price * count };
}

export async function findVoucher(code) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return vouchers.get(code);
}
