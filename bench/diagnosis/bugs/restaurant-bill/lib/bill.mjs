import { priceLine, findVoucher } from './menu.mjs';

const HAPPY_HOUR = { from: 17, to: 19, percent: 50 };

function sum(lines) {
  return lines.reduce((total, line) => total + line.amount, 0);
}

function happyHourDiscount(lines, hour) {
  if (hour < HAPPY_HOUR.from || hour >= HAPPY_HOUR.to) return 0;
  return (sum(lines.filter((line) => line.group === 'drink')) * HAPPY_HOUR.percent) / 100;
}

export async function discountFor(lines, { hour, voucher: code }) {
  const subtotal = sum(lines);
  let discount = happyHourDiscount(lines, hour);
  if (code) {
    const voucher = await findVoucher(code);
    if (voucher && subtotal >= voucher.minimum) {
      const discount = (subtotal * voucher.percent) / 100;
      lines.push({ dish: `voucher ${code}`, count: 1, group: 'voucher', amount: 0, saved: discount });
    }
  }
  return discount;
}

export async function makeBill(order) {
  const lines = order.items.map(priceLine);
  const subtotal = sum(lines);
  const discount = await discountFor(lines, order);
  const total = Math.round((subtotal - discount) * 100) / 100;
  return { table: order.table, lines, subtotal, discount, total };
}
