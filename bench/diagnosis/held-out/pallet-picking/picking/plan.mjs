import { oldestFirst } from './order.mjs';
import { listPallets } from './stock.mjs';

class ShortageError extends Error {
  name = 'ShortageError';
}

function takeFrom(pallets, quantity) {
  const picks = [];
  let open = quantity;
  for (const pallet of pallets) {
    if (open === 0) break;
    const taken = Math.min(open, pallet.quantity);
    picks.push({ pallet: pallet.id, quantity: taken });
    open -= taken;
  }
  if (open > 0) throw new ShortageError(`${open} units are not in stock`);
  return picks;
}

export async function planPicks(article, quantity) {
  const sorted = oldestFirst(await listPallets(article));
  return { article, quantity, picks: takeFrom(sorted, quantity) };
}
