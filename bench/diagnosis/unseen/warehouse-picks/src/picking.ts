import { linesOf, type OrderLine } from './orders.ts';
import { activeSite } from './site.ts';
import { binOf } from './stock.ts';

function stopFor(site: string, { sku, quantity }: OrderLine) {
  const { place } = binOf(site, sku);
  return { place, take: `${quantity} × ${sku}` };
}

export async function planPick(order: string, picker: string) {
  const lines = await linesOf(order);
  if (lines.length === 0) throw Object.assign(new Error(`order ${order} is empty`), { status: 404 });
  const site = activeSite();
  const stops = lines.map((line) => stopFor(site, line)).sort((a, b) => (a.place < b.place ? -1 : 1));
  return { order, picker, site, stops };
}
